// Wakes the islands of a page. Pages work without it.
//
// Islands are hydrated in document order. A missing one means that page and bundle come from
// different sources: that is an error, not a silent dead button. `data-ready` on the root element
// tells that every island answers.
const islands = document.querySelectorAll('leptos-island');

if (islands.length > 0) {
  // Both at once: the module does not wait for its script. Nothing is fetched where no island is.
  const module = fetch(new URL('./app_bg.wasm', import.meta.url));
  const app = await import('./app.js');
  await app.default({ module_or_path: module });
  app.hydrate();
  for (const element of islands) {
    const hydrate = app[element.dataset.component];
    if (!hydrate) {
      throw new Error(`island ${element.dataset.component} is not in the bundle`);
    }
    await hydrate(element);
  }
}
document.documentElement.dataset.ready = '';
