function render({model, el}) {
  el.setAttribute('role', 'alert');
  el.textContent = model.get('text');
  Object.assign(el.style, {font: '600 1.05em/1.5 var(--jp-ui-font-family)', color: 'var(--jp-error-color0, #b00020)', padding: '0.8em 0'});
  const show = () => stand(el.closest('.jp-Cell'), el);
  requestAnimationFrame(show);
  setTimeout(show, 400);   // the traceback below it moves the page once more
}

export default { render };
