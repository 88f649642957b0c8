'use strict';
const rows = [...document.querySelectorAll('.ledger tbody tr')], buttons = [...document.querySelectorAll('.filters button')];
for (const button of buttons) button.addEventListener('click', () => {
  for (const other of buttons) other.setAttribute('aria-pressed', other === button);
  for (const row of rows) row.hidden = Boolean(button.value) && row.dataset.verdict !== button.value;
  document.getElementById('shown').textContent = `${rows.filter(row => !row.hidden).length} of ${rows.length} claims`;
});
