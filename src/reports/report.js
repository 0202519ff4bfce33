// Shows the values under the pointer, read from the drawn lines.
(() => {
  const numbers = (text) => text.split(" ").map(Number);
  const shown = (value) => (Math.abs(value) >= 1e5 ? Math.round(value).toLocaleString("en") : String(+value.toPrecision(4)));
  const clock = (seconds) => new Date(Math.max(seconds, 0) * 1000).toISOString().slice(11, 19);

  function read(event) {
    const chart = event.target.closest && event.target.closest("svg.chart");
    document.querySelectorAll(".hair").forEach((hair) => hair.parentNode !== chart && hair.remove());
    if (!chart) return;
    const [left, top, right, bottom] = numbers(chart.dataset.box);
    const [x0, x1] = numbers(chart.dataset.x), [y0, y1] = numbers(chart.dataset.y);
    const frame = chart.getBoundingClientRect();
    const at = ((event.clientX - frame.left) / frame.width) * chart.viewBox.baseVal.width;
    let nearest = null;
    const texts = [...chart.querySelectorAll("polyline")].map((line) => {
      const points = [...line.points];
      const point = points.reduce((best, one) => (Math.abs(one.x - at) < Math.abs(best.x - at) ? one : best));
      if (!nearest || points.length > nearest.count) nearest = { x: point.x, count: points.length };
      const y = y0 + ((bottom - point.y) / (bottom - top)) * (y1 - y0);
      return `${line.dataset.name} ${shown(chart.dataset.log ? 10 ** y : y)}`;
    });
    const x = x0 + ((nearest.x - left) / (right - left)) * (x1 - x0);
    let hair = chart.querySelector(".hair");
    if (!hair) {
      hair = document.createElementNS(chart.namespaceURI, "path");
      hair.setAttribute("class", "hair");
      chart.append(hair);
    }
    hair.setAttribute("d", `M${nearest.x} ${top}V${bottom}`);
    chart.closest("figure").querySelector(".readout").textContent =
      `${chart.dataset.time ? clock(x) : Math.round(x)}:  ${texts.join("  ·  ")}`;
  }
  document.addEventListener("pointermove", read);
  document.addEventListener("pointerdown", read);

  // Live page: replaces the content and keeps open details, the selected axis and the focus.
  if (!document.getElementById("live")) return;
  async function follow() {
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.status);
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
      const open = [...document.querySelectorAll("details[open]")].map((one) => one.id);
      const axis = document.querySelector("[name=axis]:checked");
      const focused = document.activeElement && document.activeElement.id;
      if (fresh.innerHTML !== latest) {
        latest = fresh.innerHTML;
        document.querySelector("main").replaceWith(fresh);
        for (const id of open) document.getElementById(id)?.setAttribute("open", "");
        if (axis && document.getElementById(axis.id)) document.getElementById(axis.id).checked = true;
        if (focused) document.getElementById(focused)?.focus();
      }
      document.getElementById("live").hidden = false;
      document.getElementById("lost").hidden = true;
    } catch {
      document.getElementById("live").hidden = true;
      document.getElementById("lost").hidden = false;
    }
    setTimeout(follow, 3000);
  }
  let latest = document.querySelector("main").innerHTML;
  setTimeout(follow, 3000);
})();
