// Highlights the chosen query word in all matrices with queries as rows.
for (const choice of document.querySelectorAll(".asking input")) {
  choice.addEventListener("change", () => {
    for (const row of document.querySelectorAll("[data-row]")) row.classList.toggle("lit", row.dataset.row === choice.value);
  });
}
