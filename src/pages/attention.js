"use strict";
// The drawing of attention on every page: a row for each word of the translation, a column for each source word, and in
// the cells the weights in percent.
const leastShownPercent = 5;  // as in the terminal

function node(name, className, ...content) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...content);
  return element;
}

/** Fills `box`. `matrix` has `source` and `target`, lists of words, and `percent`, a list of rows; `titles` has what to
    write at the axes and as the drawing's name: strings or lists of nodes, and a string. */
function drawAttention(box, matrix, titles) {
  const word = (text, scope) => {
    const label = node("span", scope === "col" && /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hira}\p{sc=Kana}]/u.test(text) ? "upright" : "", text);
    label.dir = "auto";
    return Object.assign(node("th", "", label), { scope });
  };
  const axis = (title, arrow) => node("div", "", ...[].concat(title), " " + arrow);

  const head = node("tr", "", node("td", "axes", axis(titles.source, "→"), axis(titles.target, "↓")));
  head.append(...matrix.source.map((text) => word(text, "col")));
  const rows = matrix.target.map((text, y) => {
    const row = node("tr", "", word(text, "row"));
    row.dataset.row = y;
    matrix.percent[y].forEach((percent, x) => {
      const cell = node("td", "", percent < leastShownPercent ? "" : String(percent));
      cell.style.setProperty("--w", percent / 100);
      Object.assign(cell.dataset, { x, y });
      row.append(cell);
    });
    return row;
  });
  const table = node("table", "", node("thead", "", head), node("tbody", "", ...rows));
  const scroll = Object.assign(node("div", "attention-scroll", table), { tabIndex: 0, ariaLabel: titles.name });
  scroll.setAttribute("role", "group");
  const reading = node("p", "reading");
  reading.setAttribute("role", "status");
  box.classList.add("attention");
  box.replaceChildren(scroll, reading);

  let spot = [0, 0];
  const read = (x, y) => {
    table.querySelectorAll("td.lit, th.lit").forEach((lit) => lit.classList.remove("lit"));
    spot = [x, y];
    for (const lit of [rows[y].cells[x + 1], rows[y].cells[0], head.cells[x + 1]]) lit.classList.add("lit");
    reading.replaceChildren(node("bdi", "", matrix.target[y]), " ← ", node("bdi", "", matrix.source[x]),
      `  ${matrix.percent[y][x]} %`);
  };
  const point = (event) => {
    const cell = event.target.closest("td[data-x]");
    if (cell) read(+cell.dataset.x, +cell.dataset.y);
  };
  table.addEventListener("pointerover", point);
  scroll.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const next = step && [spot[0] + step[0], spot[1] + step[1]];
    if (!next || !rows[next[1]] || !matrix.source[next[0]] || next[0] < 0) return;
    event.preventDefault();
    read(...next);
    rows[next[1]].cells[next[0] + 1].scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}

/** Rows of percent from two hexadecimal digits each. */
const percentOf = (digits, columns) => {
  const numbers = (digits.match(/../g) || []).map((pair) => parseInt(pair, 16));
  return Array.from({ length: columns && numbers.length / columns }, (_, y) => numbers.slice(y * columns, (y + 1) * columns));
};
