// @ts-check
// A classic script in the head, so that the first paint already has the right colours:
// the system's choice becomes a plain theme for style sheets that know only names.
{
  const root = document.documentElement;
  if (root.dataset.theme === "auto") {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const contrast = matchMedia("(prefers-contrast: more)");
    const follow = () => {
      root.dataset.theme = contrast.matches ? "contrast" : dark.matches ? "dark" : "light";
    };
    dark.addEventListener("change", follow);
    contrast.addEventListener("change", follow);
    follow();
  }
}
