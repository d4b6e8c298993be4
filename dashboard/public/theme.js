// Before the first paint: the look that was chosen here, if one was.
try {
  var chosen = localStorage.getItem('throughline.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch (error) {
  // Without storage the system's preference stands.
}
