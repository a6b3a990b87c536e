export default function Home() {
  return <h1>Ready</h1>;
}
