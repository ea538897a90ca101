// The page of `pigate report` in a real browser.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, test } from "node:test";
import { Reports, open, startBrowser } from "./lib/browser.mjs";
import { bash, call, calls } from "./lib/model.mjs";
import { DENY, ONCE, value } from "./lib/rpc.mjs";
import { scene } from "./lib/scene.mjs";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const JOURNALS = ["weeks", "hostile", "one", "empty"];
let browser, reports;

before(async () => {
  reports = new Reports();
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  reports?.remove();
});

const show = (t, name, how) => open(t, browser, reports.file(name), how);
const texts = (page, selector) => page.locator(selector).allTextContents();
const number = (text) => Number(text.replaceAll(",", ""));

/** The rows that are seen of a table, each as the texts of its cells. */
const seen = (page, section) =>
  page.$$eval(`#${section} table.rows tbody tr`, (rows) =>
    rows.filter((row) => row.checkVisibility()).map((row) => [...row.cells].map((cell) => cell.textContent.trim())),
  );

for (const name of JOURNALS) {
  test(`the page of "${name}" does nothing but show itself`, async (t) => {
    const { page, faults } = await show(t, name);
    await page.waitForLoadState("networkidle");
    assert.deepEqual(faults, []);
    assert.equal(await page.evaluate(() => globalThis.hit), undefined, "no script of the journal ran");
    const elements = await page.$$eval("*", (all) => [...new Set(all.map((element) => element.localName))]);
    const strange = ["img", "iframe", "link", "base", "form", "object", "embed", "video", "audio", "textarea", "foreignObject", "image", "use", "animate"];
    assert.deepEqual(elements.filter((element) => strange.includes(element)), []);
    assert.deepEqual(await page.$$eval("script, style", (all) => all.map((element) => element.localName)), ["style", "script"]);
    const attributes = await page.$$eval("*", (all) => [...new Set(all.flatMap((element) => element.getAttributeNames()))]);
    assert.deepEqual(attributes.filter((attribute) => /^on|^style$|^src$/i.test(attribute)), []);
    const links = await page.$$eval("a", (all) => all.map((a) => a.getAttribute("href")));
    for (const link of links) {
      assert.match(link, /^#[a-z0-9-]+$/);
      assert.equal(await page.locator(`[id="${link.slice(1)}"]`).count(), 1, `${link} leads somewhere`);
    }
  });

  test(`the page of "${name}" is accessible in light and dark`, async (t) => {
    for (const scheme of ["light", "dark"]) {
      const { page } = await show(t, name, { scheme });
      await page.locator("details").evaluateAll((all) => all.slice(0, 12).forEach((details) => (details.open = true)));
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      assert.deepEqual(grave.map(({ id, nodes }) => [scheme, id, nodes[0].html, nodes[0].failureSummary]), []);
    }
  });

  test(`the page of "${name}" fits a telephone`, async (t) => {
    const { page } = await show(t, name, { width: 360, height: 740 });
    await page.locator("details").evaluateAll((all) => all.forEach((details) => (details.open = true)));
    const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(needed <= given, `${needed} pixels in ${given}`);
    const wide = await page.$$eval("body *:not(.scroll *, .unseen)", (all) =>
      all.filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > 361).map((element) => element.outerHTML.slice(0, 120)),
    );
    assert.deepEqual(wide, []);
  });
}

test("the page's policy holds even for what gets into the page", async (t) => {
  const { page, faults } = await show(t, "one");
  const loading = page.waitForEvent("requestfailed");
  await page.evaluate(() => {
    document.body.insertAdjacentHTML("beforeend", '<img src="http://127.0.0.1:9/x.png"><p style="color: red" onclick="globalThis.hit = 1">x</p>');
    document.body.append(Object.assign(document.createElement("script"), { textContent: "globalThis.hit = 2" }));
    document.querySelector("p[onclick]").click();
  });
  assert.equal((await loading).failure().errorText, "csp");
  assert.equal(await page.evaluate(() => globalThis.hit), undefined);
  const refused = new Set(faults.filter((fault) => fault.startsWith("policy:")).map((fault) => fault.split(" ")[1]));
  assert.deepEqual([...refused].toSorted(), ["img-src", "script-src-attr", "script-src-elem", "style-src-attr"]);
});

test("hostile text is there to be read", async (t) => {
  const { page } = await show(t, "hostile");
  const text = await page.evaluate(() => document.body.textContent);
  for (const part of ["<script>window.hit = 1; alert(1)</script>", '"><img src=x onerror="window.hit=2">', "{{.Script}}", "&lt;script&gt;", "\\u{202e}gnp.exe", "\\u{1b}[31mred"]) {
    assert.ok(text.includes(part), part);
  }
  assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u200b\u001b\u0007\u0000]/);
});

test("the figures are those of the JSON", async (t) => {
  const { total, before } = JSON.parse(reports.make("weeks", "--format", "json"));
  const { page } = await show(t, "weeks");
  const [calls, prompts, , silent, blocked] = await texts(page, ".figure .now");
  assert.deepEqual([calls, prompts, blocked].map(number), [total.calls, total.prompts, total.blocked]);
  assert.equal(silent, `${Math.floor(total.silent_share * 100)} %`);
  const change = await page.locator(".figure").filter({ hasText: "blocked" }).locator(".before").textContent();
  assert.equal(change, `${total.blocked > before.blocked ? "▲up" : "▼down"} from ${before.blocked}`);
});

test("the charts say the numbers of the JSON, as a table and as areas", async (t) => {
  const report = JSON.parse(reports.make("weeks", "--format", "json"));
  const { page } = await show(t, "weeks");
  const table = async (id) => {
    await page.locator(`#${id} summary`).click();
    return page.$$eval(`#${id} .numbers tbody tr`, (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  };
  const sum = (list) => list.reduce((a, b) => a + b, 0);

  const verdicts = ["allow", "pass", "ask", "deny"];
  const decisions = (await table("decisions")).map(([, ...counts]) => counts.map(number));
  assert.deepEqual(decisions, report.slots.map((slot) => verdicts.map((verdict) => slot.verdicts[verdict])));
  const prompts = (await table("prompts")).map(([, ...counts]) => sum(counts.map(number)));
  assert.deepEqual(prompts, report.slots.map(({ answers }) => sum(Object.values(answers))));
  const programs = (await table("programs")).map(([, ...counts]) => counts.map(number));
  assert.deepEqual(programs, report.programs.rows.map(({ prompts, approved }) => [approved, prompts - approved]));
  const hours = (await table("hours")).map(([, silent, asked]) => [number(silent) + number(asked), number(asked)]);
  assert.deepEqual(hours, report.hours.map(({ calls, prompts }) => [calls, prompts]));
  const waits = (await table("waits")).map(([, count]) => number(count));
  assert.deepEqual(waits, report.waits.map(({ prompts }) => prompts));
  const silent = (await table("silent")).map(([, share]) => share);
  assert.deepEqual(silent, report.slots.map(({ calls, silent }) => (calls ? `${Math.floor((100 * silent) / calls)} %` : "no calls")));

  // The area of each value is as high as it is large.
  for (const verdict of verdicts) {
    const heights = await page.$$eval(`#decisions svg path.fill.verdict-${verdict}`, (all) => all.map((path) => path.getBBox().height));
    const counts = report.slots.map((slot) => slot.verdicts[verdict]).filter(Boolean);
    assert.equal(heights.length, counts.length);
    const unit = sum(heights) / sum(counts);
    heights.forEach((height, i) => assert.ok(Math.abs(height - counts[i] * unit) < 2, `${counts[i]} ${verdict} is ${height} high`));
  }
  assert.equal(await page.locator("figure svg[role=img]").count(), 6);
  const names = await page.$$eval("figure svg", (all) => all.map((svg) => svg.querySelector("title").textContent + svg.querySelector("desc").textContent));
  for (const name of names) assert.match(name, /\d/, "the summary has numbers");
});

test("a table sorts by each column, with the keyboard too", async (t) => {
  const { page, faults } = await show(t, "weeks");
  await page.locator("#denials button.all").click();
  const head = (name) => page.locator("#denials thead th").filter({ hasText: name });
  const column = async (i) => (await seen(page, "denials")).map((cells) => cells[i]);

  await head("Times").getByRole("button").click();
  assert.equal(await head("Times").getAttribute("aria-sort"), "descending");
  assert.equal(await head("When").getAttribute("aria-sort"), null);
  const times = (await column(4)).map(Number);
  assert.deepEqual(times, times.toSorted((a, b) => b - a));
  assert.ok(new Set(times).size > 2);

  await head("Times").getByRole("button").focus();
  await page.keyboard.press("Enter");
  assert.equal(await head("Times").getAttribute("aria-sort"), "ascending");
  assert.deepEqual((await column(4)).map(Number), times.toSorted((a, b) => a - b));

  await head("Entry").getByRole("button").press("Space");
  const entries = (await column(5)).map(Number);
  assert.deepEqual(entries, entries.toSorted((a, b) => b - a));

  await head("When").getByRole("button").press("Enter");
  const dates = await column(0);
  assert.deepEqual(dates, dates.toSorted());
  await head("By").getByRole("button").press("Enter");
  const by = await column(3);
  assert.deepEqual(by, by.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
  assert.deepEqual(faults, []);
});

test("a table shows what a filter asks for, and says how much that is", async (t) => {
  const { page, faults } = await show(t, "weeks");
  const { rows } = JSON.parse(reports.make("weeks", "--format", "json")).denials;
  const filter = page.locator("#denials input[type=search]");
  await filter.fill("git push person");
  const wanted = rows.filter(({ what, answer }) => what.includes("git push") && answer && answer !== "no-ui");
  const found = await seen(page, "denials");
  assert.ok(found.length > 0);
  assert.equal(found.length, wanted.length);
  for (const [, call, , by] of found) assert.match(call + by, /git push .*person/);
  assert.equal(await page.locator("#denials [role=status]").textContent(), `${found.length} of ${rows.length}`);

  await filter.fill("no such text");
  assert.deepEqual(await seen(page, "denials"), []);
  assert.equal(await page.locator("#denials [data-none]").isVisible(), true);
  await filter.fill("");
  assert.equal((await seen(page, "denials")).length, rows.length);
  assert.equal(await page.locator("#denials [data-none]").isVisible(), false);
  assert.deepEqual(faults, []);
});

test("a long table begins folded", async (t) => {
  const { page } = await show(t, "weeks");
  const { rows } = JSON.parse(reports.make("weeks", "--format", "json")).denials;
  assert.equal((await seen(page, "denials")).length, 12);
  await page.getByRole("button", { name: `Show all ${rows.length}` }).first().press("Enter");
  assert.equal((await seen(page, "denials")).length, rows.length);
  assert.equal(await page.evaluate(() => document.activeElement.localName), "td", "the focus goes on with the rows");
});

test("a session leads to its timeline", async (t) => {
  const { page, faults } = await show(t, "weeks");
  const { sessions, timelines } = JSON.parse(reports.make("weeks", "--format", "json"));
  assert.equal(await page.locator("#timeline-1 ol").isVisible(), false);
  await page.locator("#sessions tbody tr").nth(1).getByRole("link", { name: "Timeline" }).click();
  assert.equal(await page.locator("#timeline-1 ol").isVisible(), true);
  assert.match(await page.locator("#timeline-1").textContent(), new RegExp(sessions.rows[1].id));
  assert.equal(await page.locator("#timeline-1 li").count(), timelines[1].moments.length + (timelines[1].more ? 1 : 0));
  const { page: direct } = await show(t, "weeks", { hash: "#timeline-2" });
  assert.equal(await direct.locator("#timeline-2 ol").isVisible(), true, "a link from elsewhere opens it too");
  assert.deepEqual(faults, []);
});

test("an empty period says so in each part", async (t) => {
  const { page } = await show(t, "empty");
  assert.deepEqual(await page.$$eval("figure .empty", (all) => all.map(({ textContent }) => textContent)), [
    "No calls in this period.",
    "No prompts in this period.",
    "No prompts in this period.",
    "No prompts in this period.",
    "No calls in this period.",
    "No calls in this period.",
  ]);
  const lists = await page.$$eval("section.list", (all) => all.map((section) => section.querySelector(".empty:not([data-none])")?.textContent));
  assert.deepEqual(lists, [
    "No approval of this period needs a second look.",
    "Nothing was denied in this period.",
    "No rule decided a call in this period.",
    "The rules in force were not looked at: these journals may come from elsewhere.",
    "No session made a call in this period.",
  ]);
});

test("print shows the whole tables on white", async (t) => {
  const { page, faults } = await show(t, "weeks", { media: "print", scheme: "dark" });
  const { rows } = JSON.parse(reports.make("weeks", "--format", "json")).denials;
  assert.equal((await seen(page, "denials")).length, rows.length);
  assert.equal(await page.locator("nav").isVisible(), false);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  assert.ok((await page.pdf()).length > 10_000);
  assert.deepEqual(faults, []);
});

test("a session of the real Pi is in its report", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:ls *", "shell:ls -a"], deny: ["shell:rm *"], trusted: true });
  pi.answer(value(ONCE), value(DENY));
  await pi.play(calls(bash("ls"), bash("rm -rf src"), bash("echo '<b>1</b>' > out.txt"), call("write", { path: "../out.txt", content: "x" })));
  await pi.close();

  const file = path.join(sandbox.root, "report.html");
  await sandbox.pigate("report", "-o", file);
  const { page, faults } = await open(t, browser, file);
  assert.deepEqual((await texts(page, ".figure .now")).slice(0, 2), ["4", "2"]);
  const found = async (section, ...columns) => (await seen(page, section)).map((cells) => columns.map((i) => cells[i]).join(" / "));
  const folder = sandbox.project;
  assert.deepEqual(await found("approvals", 1, 3), [`bash echo '<b>1</b>' > out.txt${folder} / person: allowed once`]);
  assert.deepEqual((await found("denials", 1, 3)).toSorted(), [
    `bash rm -rf src${folder} / rule`,
    `write ${path.join(sandbox.root, "out.txt")}${folder} / person: denied`,
  ]);
  assert.deepEqual((await found("rules", 0, 1, 2)).toSorted(), ["shell:ls * / allow / 1", "shell:rm * / deny / 1"]);
  assert.match((await found("findings", 0, 1)).join("; "), /shell:ls -a \/ shadowed/);
  await page.locator("#sessions").getByRole("link", { name: "Timeline" }).click();
  assert.match(await page.locator("#timeline-0 ol").textContent(), /1 call ran without a question.*rm -rf src.*blocked.*out\.txt.*person: allowed once, after/s);
  assert.deepEqual(faults, []);
});
