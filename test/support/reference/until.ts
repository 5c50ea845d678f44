/** Polls a condition on the real clock until it holds; gives up only a little before a test's own time limit. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  ms = 45_000,
  describe: () => unknown = () => String(holds),
): Promise<void> {
  for (const end = Date.now() + ms; ;) {
    if (await holds()) return
    if (Date.now() > end) throw new Error(`not in ${ms} ms: ${String(describe())}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
