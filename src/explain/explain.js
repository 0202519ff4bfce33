// The word that asks, followed through all matrices whose rows ask.
for (const choice of document.querySelectorAll(".asking input")) {
  choice.addEventListener("change", () => {
    for (const row of document.querySelectorAll("[data-row]")) row.classList.toggle("lit", row.dataset.row === choice.value);
  });
}
