export default function Layout({ children }) {
  return <div id="app">{children}</div>;
}
