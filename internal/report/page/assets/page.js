"use strict";
// Sorting, filtering and folding of the tables, and timelines that open when they are linked to. Without it everything is
// there.

/** How many rows of a table are seen before somebody asks for all. */
const FOLD = 12;

/** What a cell is compared by: its key, else its text. */
function keyOf(row, column) {
  const cell = row.cells[column];
  const text = cell.dataset.key ?? cell.textContent.trim();
  return cell.classList.contains("n") || cell.dataset.key !== undefined ? Number(text) : text.toLocaleLowerCase();
}

/** Shows the first rows of a table alone, until its button is pressed or a filter is typed. */
function fold(table, rows) {
  if (rows.length <= FOLD + 3) return;
  table.classList.add("folded");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "all";
  button.textContent = `Show all ${rows.length}`;
  button.addEventListener("click", () => {
    unfold(table);
    const next = table.tBodies[0].rows[FOLD].cells[0];
    next.tabIndex = -1;
    next.focus();
  });
  table.after(button);
}

function unfold(table) {
  table.classList.remove("folded");
  table.parentElement.querySelector("button.all")?.remove();
}

function sort(table, head, rows) {
  const column = head.cellIndex;
  const ascending = head.ariaSort ? head.ariaSort !== "ascending" : !head.classList.contains("n");
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.ariaSort = ascending ? "ascending" : "descending";
  const direction = ascending ? 1 : -1;
  const keyed = rows.map((row) => [keyOf(row, column), row]);
  keyed.sort(([a], [b]) => (a < b ? -direction : a > b ? direction : 0));
  table.tBodies[0].append(...keyed.map(([, row]) => row));
}

function addFilter(table, rows) {
  const section = table.closest("section");
  const none = section.querySelector("[data-none]");
  const label = document.createElement("label");
  label.className = "filter";
  const input = document.createElement("input");
  input.type = "search";
  const count = document.createElement("span");
  count.setAttribute("role", "status");
  const texts = rows.map((row) => row.textContent.toLocaleLowerCase());
  const apply = () => {
    const wanted = input.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = !wanted.every((word) => texts[i].includes(word));
      if (!row.hidden) shown++;
    });
    count.textContent = wanted.length ? `${shown} of ${rows.length}` : "";
    none.hidden = shown > 0;
    table.hidden = shown === 0;
  };
  input.addEventListener("input", () => {
    unfold(table);
    apply();
  });
  label.append("Filter", input, count);
  table.before(label);
}

for (const table of document.querySelectorAll("table.rows")) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length < 2) continue;
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(table, head, rows));
    head.append(button);
  }
  if (rows.length > 5) addFilter(table, rows);
  fold(table, rows);
}

function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.tagName !== "DETAILS") return;
  target.open = true;
  target.scrollIntoView();
  target.querySelector("summary").focus({ preventScroll: true });
}
window.addEventListener("hashchange", openTarget);
openTarget();

