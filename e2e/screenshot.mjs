// Draws docs/report.png: the report of the made-up team of pagetest's journal "weeks".
import path from "node:path";
import { Reports, open, startBrowser } from "./lib/browser.mjs";
import { ROOT } from "./lib/places.mjs";

const reports = new Reports();
const browser = await startBrowser();
try {
  const { page } = await open(undefined, browser, reports.file("weeks"), { width: 1200, height: 1600 });
  const { y, height } = await page.locator("#overview").boundingBox();
  await page.screenshot({ clip: { x: 0, y: 0, width: 1200, height: y + height + 24 }, path: path.join(ROOT, "docs", "report.png") });
} finally {
  await browser.close();
  reports.remove();
}
