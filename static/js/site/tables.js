// @ts-check
// After theme.js, in the head of the admin library's pages: the site's theme in the library's terms.
{
  const root = document.documentElement;
  const follow = () => {
    root.dataset.bsTheme = root.dataset.theme === "dark" ? "dark" : "light";
  };
  new MutationObserver(follow).observe(root, { attributeFilter: ["data-theme"] });
  follow();
}
