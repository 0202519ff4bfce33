(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const [number, source, translation, columns, rows, digits] = [0, 1, 2, 3, 4, 5];
  const find = (id) => document.getElementById(id);
  const list = find("sentences"), matrix = find("matrix");
  const maxListed = 2000;

  function draw(item) {
    find("source").textContent = item[source];
    find("translation").textContent = item[translation];
    const percent = percentOf(item[digits], item[columns].length);
    drawAttention(matrix, { source: item[columns], target: item[rows], percent }, attentionTitles());
    matrix.hidden = percent.length === 0;
    find("none").hidden = percent.length > 0;
  }

  function choose(index) {
    draw(data[index]);
    history.replaceState(null, "", "#" + data[index][number]);
  }

  function fill() {
    const wanted = find("filter").value.toLowerCase();
    const matches = data.map((item, index) => [item, index])
      .filter(([item]) => !wanted || (item[source] + "\n" + item[translation]).toLowerCase().includes(wanted));
    list.replaceChildren(...matches.slice(0, maxListed).map(([item, index]) =>
      new Option(`${item[number]}  ${item[translation] || item[source]}`, index)));
    find("count").textContent = `${Math.min(matches.length, maxListed)} / ${data.length}`;
    if (list.options.length > 0) {
      list.selectedIndex = 0;
      choose(+list.value);
    } else if (!data.length) {
      matrix.hidden = true;
      find("none").hidden = false;
    }
  }

  list.addEventListener("change", () => choose(+list.value));
  find("filter").addEventListener("input", fill);

  const linked = location.hash.slice(1);
  fill();
  const index = data.findIndex((item) => String(item[number]) === linked);
  if (index >= 0) {
    list.selectedIndex = index < maxListed ? index : -1;
    choose(index);
  }
})();
