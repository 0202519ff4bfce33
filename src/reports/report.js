// Shows the values of the point of a chart that is nearest to the pointer, and of those above and below it.
(() => {
  const shown = (value) => (Math.abs(value) >= 1e5 ? Math.round(value).toLocaleString("en") : String(+value.toPrecision(4)));
  const clock = (seconds) => {
    const total = Math.floor(Math.max(seconds, 0)), two = (number) => String(number).padStart(2, "0");
    return `${Math.floor(total / 3600)}:${two(Math.floor(total / 60) % 60)}:${two(total % 60)}`;
  };

  /** Places in the picture with their values, of all lines. */
  const pointsOf = (chart) => [...chart.querySelectorAll("polyline")].flatMap((line) => {
    const values = line.dataset.values.trim().split(" ").map((pair) => pair.split(",").map(Number));
    return [...line.points].map((place, i) => ({ place, name: line.dataset.name, x: values[i][0], y: values[i][1] }));
  });

  function read(event) {
    const chart = event.target.closest && event.target.closest("svg.chart");
    document.querySelectorAll(".hair").forEach((hair) => hair.parentNode !== chart && hair.remove());
    if (!chart) return;
    const frame = chart.getBoundingClientRect(), scale = chart.viewBox.baseVal.width / frame.width;
    const at = { x: (event.clientX - frame.left) * scale, y: (event.clientY - frame.top) * scale };
    const points = pointsOf(chart);
    // Of points with one x, which many lines have, the one at the pointer's height is nearest.
    const distance = ({ place }) => Math.abs(place.x - at.x) + Math.abs(place.y - at.y) / 1000;
    const nearest = points.reduce((best, one) => (distance(one) < distance(best) ? one : best));
    let hair = chart.querySelector(".hair");
    if (!hair) {
      hair = document.createElementNS(chart.namespaceURI, "path");
      hair.setAttribute("class", "hair");
      chart.append(hair);
    }
    const { x, y } = nearest.place;
    hair.setAttribute("d", `M${x} ${chart.dataset.top}V${chart.dataset.bottom}M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0`);
    const values = points.filter((point) => point.x === nearest.x).map((point) => `${point.name} ${shown(point.y)}`);
    chart.closest("figure").querySelector(".readout").textContent =
      `${chart.dataset.time ? clock(nearest.x) : shown(nearest.x)}:  ${values.join("  ·  ")}`;
  }
  document.addEventListener("pointermove", read);
  document.addEventListener("pointerdown", read);

  // Live page: replaces the content and keeps open details, the selected axis and the focus, until the training ends.
  if (!document.getElementById("live")) return;
  const pauseMs = 2000;  // src/reports/live_page.cpp waits longer before it goes
  const notice = (id) => { for (const one of ["live", "lost", "ended"]) document.getElementById(one).hidden = one !== id; };
  let latest = document.querySelector("main").innerHTML;

  function show(fresh) {
    if (fresh.innerHTML === latest) return;
    latest = fresh.innerHTML;
    const open = [...document.querySelectorAll("details[open]")].map((one) => one.id);
    const axis = document.querySelector("[name=axis]:checked");
    const focused = document.activeElement && document.activeElement.id;
    document.querySelector("main").replaceWith(fresh);
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (axis && document.getElementById(axis.id)) document.getElementById(axis.id).checked = true;
    if (focused) document.getElementById(focused)?.focus();
  }

  async function follow() {
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.status);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      show(page.querySelector("main"));
      if (!page.getElementById("live")) return notice("ended");
      notice("live");
    } catch {
      notice("lost");
    }
    setTimeout(follow, pauseMs);
  }
  setTimeout(follow, pauseMs);
})();
