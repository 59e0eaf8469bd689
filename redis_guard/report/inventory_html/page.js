"use strict";
(() => {
  const body = document.querySelector("#groups tbody");
  const rows = [...body.rows];
  const headings = [...document.querySelectorAll("#groups th")];
  const field = (id) => document.getElementById(id);
  const cell = (row, column) => row.cells[column].dataset.sort;

  function sort(column, descending) {
    const numbers = headings[column].dataset.kind === "number";
    const order = [...rows];
    order.sort((one, other) => {
      const a = cell(one, column), b = cell(other, column);
      const compared = numbers ? a - b : a.localeCompare(b);
      return descending ? -compared : compared;
    });
    body.append(...order);
    headings.forEach((heading, number) => {
      heading.setAttribute("aria-sort", number === column ? (descending ? "descending" : "ascending") : "none");
    });
  }

  function filter() {
    const words = field("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const fits = words.every((word) => text.includes(word))
        && (!field("behaviour").value || row.dataset.behaviour === field("behaviour").value)
        && (!field("owner").value || row.dataset.owner === field("owner").value)
        && (!field("faulty").checked || row.dataset.faults !== "0");
      row.hidden = !fits;
      shown += fits;
    }
    field("shown").textContent = `${shown} of ${rows.length} groups`;
  }

  headings.forEach((heading, column) => {
    heading.querySelector("button").addEventListener("click", () => {
      const again = heading.getAttribute("aria-sort");
      const descending = again === "none" ? heading.dataset.kind === "number" : again === "ascending";
      sort(column, descending);
      field("order").value = String(column);
    });
  });
  field("order").addEventListener("change", (event) => {
    const column = event.target.value;
    if (column === "") {
      body.append(...rows);
      headings.forEach((heading) => heading.setAttribute("aria-sort", "none"));
    } else {
      sort(Number(column), headings[column].dataset.kind === "number");
    }
  });
  for (const id of ["search", "behaviour", "owner", "faulty"]) field(id).addEventListener("input", filter);
  document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
})();
