// Run All leaves JupyterLab at the last cell: an error of the parameters brings itself into view.

function render({model, el}) {
  el.setAttribute('role', 'alert');
  el.textContent = model.get('text');
  Object.assign(el.style, {font: '600 1.05em/1.5 var(--jp-ui-font-family)', color: 'var(--jp-error-color0, #b00020)', padding: '0.8em 0'});
  const show = () => {
    const cell = el.closest('.jp-Cell'), cells = el.closest('.jp-Notebook') ? [...el.closest('.jp-Notebook').querySelectorAll('.jp-Cell')] : [];
    const last = cells[cells.length - 1];
    if (last && last !== cell && last.classList.contains('jp-mod-active')) cell.scrollIntoView({block: 'start'});
  };
  requestAnimationFrame(show);
  setTimeout(show, 400);   // the traceback below it moves the page once more
}

export default { render };
