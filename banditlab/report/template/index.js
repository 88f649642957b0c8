'use strict';
const rows = [...document.querySelectorAll('.claims > details')], inputs = [...document.querySelectorAll('.filters [data-name]')];
const fits = (row, {dataset: {name}, value}) => !value
  || (name === 'search' ? row.textContent.toLowerCase().includes(value.toLowerCase()) : name === 'reading' ? JSON.parse(row.dataset.reading).includes(value) : row.dataset[name] === value);
for (const input of inputs) input.addEventListener('input', () => {
  for (const row of rows) row.hidden = !inputs.every(one => fits(row, one));
  document.getElementById('shown').textContent = `${rows.filter(row => !row.hidden).length} of ${rows.length} claims`;
});
