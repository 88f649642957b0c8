// Run All leaves JupyterLab at the last cell: bring into view what matters, unless the reader has gone elsewhere.
function stand(node, own) {
  const notebook = own.closest('.jp-Notebook'), cells = notebook ? [...notebook.querySelectorAll('.jp-Cell')] : [];
  const last = cells[cells.length - 1];
  if (last && last.classList.contains('jp-mod-active') && !last.contains(own)) (node || cells[0]).scrollIntoView({block: 'start'});
}
