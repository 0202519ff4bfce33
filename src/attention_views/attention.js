(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const [number, source, translation, columns, rows, shades] = [0, 1, 2, 3, 4, 5];
  const find = (id) => document.getElementById(id);
  const list = find("sentences"), matrix = find("matrix");
  const maxListed = 2000;

  const element = (name, text) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  function draw(item) {
    find("source").textContent = item[source];
    find("translation").textContent = item[translation];
    find("reading").textContent = "";
    const head = element("thead"), names = element("tr"), body = element("tbody");
    names.append(element("td"));
    for (const word of item[columns]) names.append(Object.assign(element("th", word), { scope: "col" }));
    head.append(names);
    item[rows].forEach((word, y) => {
      const row = element("tr");
      row.append(Object.assign(element("th", word), { scope: "row" }));
      item[columns].forEach((_, x) => {
        const at = 2 * (y * item[columns].length + x);
        const weight = parseInt(item[shades].slice(at, at + 2), 16) / 255;
        const cell = element("td");
        cell.style.setProperty("--w", weight.toFixed(3));
        Object.assign(cell.dataset, { x, y, weight: weight.toFixed(2) });
        row.append(cell);
      });
      body.append(row);
    });
    matrix.replaceChildren(head, body);
    find("none").hidden = item[rows].length > 0;
    matrix.parentNode.hidden = item[rows].length === 0;
  }

  function read(cell) {
    matrix.querySelectorAll(".lit").forEach((lit) => lit.classList.remove("lit"));
    if (!cell) return;
    const { x, y, weight } = cell.dataset;
    const names = [matrix.tHead.rows[0].cells[+x + 1], matrix.tBodies[0].rows[+y].cells[0]];
    for (const lit of [cell, ...names]) lit.classList.add("lit");
    find("reading").textContent = `${names[1].textContent} ← ${names[0].textContent}  ${weight}`;
  }

  function choose(index) {
    draw(data[index]);
    history.replaceState(null, "", "#" + data[index][number]);
  }

  function fill() {
    const wanted = find("filter").value.toLowerCase();
    const matches = data.map((item, index) => [item, index])
      .filter(([item]) => !wanted || (item[source] + "\n" + item[translation]).toLowerCase().includes(wanted));
    list.replaceChildren(...matches.slice(0, maxListed).map(([item, index]) => {
      const option = element("option", `${item[number]}  ${item[translation] || item[source]}`);
      option.value = index;
      return option;
    }));
    find("count").textContent = `${Math.min(matches.length, maxListed)} / ${data.length}`;
    if (list.options.length > 0) {
      list.selectedIndex = 0;
      choose(+list.value);
    }
  }

  // Arrow keys move from cell to cell.
  let spot = [0, 0];
  document.querySelector(".scroll").addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step) return;
    const next = matrix.querySelector(`td[data-x="${spot[0] + step[0]}"][data-y="${spot[1] + step[1]}"]`);
    if (!next) return;
    event.preventDefault();
    spot = [spot[0] + step[0], spot[1] + step[1]];
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
    read(next);
  });
  matrix.addEventListener("pointerover", (event) => {
    const cell = event.target.closest("td[data-x]");
    if (cell) spot = [+cell.dataset.x, +cell.dataset.y];
    read(cell);
  });
  list.addEventListener("change", () => { spot = [0, 0]; choose(+list.value); });
  find("filter").addEventListener("input", fill);

  const linked = location.hash.slice(1);
  fill();
  const index = data.findIndex((item) => String(item[number]) === linked);
  if (index >= 0 && index < maxListed) {
    list.selectedIndex = index;
    choose(index);
  }
})();
