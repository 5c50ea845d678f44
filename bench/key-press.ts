/**
 * Counts the function calls of one key press: `x`, which drops the chosen item of the agenda. Run it with
 * `npm run key-press`; it reads the sources, since a bundle would name no file.
 *
 * Counted is every call of a function of `src`, methods and callbacks included, from the key until the model has the
 * snapshot that shows the dropped item gone: the binding of the key, its messages, the command, its fact, the view of the
 * session, the new model. Not counted are drawing, which belongs to Ink, functions of Node and of packages, and the judging of
 * invariants, which the dashboard asks for by the clock and not by keys. The session plays Orders alone, without a socket;
 * it has one order, and the terminal 120 columns and 40 rows.
 */
import { Session as Inspector } from 'node:inspector/promises'
import { initialModel, type Model } from '../src/terminal/dashboard/model/model.ts'
import { createModelStore, performInto, pressKey } from '../src/terminal/dashboard/runtime/store.ts'
import { watchSession } from '../src/terminal/dashboard/runtime/watch.ts'
import { openSession } from '../src/core/session/open-session.ts'
import { ordersOnly } from '../test/support/orders-only.ts'

const maxCalls = 400
/** Functions that are listed, those that are called most. */
const maxRows = 25

interface CalledFunction {
  readonly file: string
  readonly name: string
  readonly count: number
}

/** The functions of `src` that are called meanwhile. */
async function callsDuring(work: () => Promise<void>): Promise<readonly CalledFunction[]> {
  const inspector = new Inspector()
  inspector.connect()
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  // What was called before is not counted again.
  await inspector.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  inspector.disconnect()
  const root = new URL('../src/', import.meta.url).href
  return result
    .filter(({ url }) => url.startsWith(root))
    .flatMap(({ url, functions }) =>
      functions.map(({ functionName, ranges }) => ({
        file: url.slice(root.length),
        name: functionName === '' ? '(callback)' : functionName,
        count: ranges[0]?.count ?? 0,
      })),
    )
    .filter(({ count }) => count > 0)
}

const session = await openSession({
  clock: 'stepped',
  listen: false,
  seed: 42,
  capabilities: ordersOnly,
})
const store = createModelStore(initialModel(120, 40))
// Only keys take snapshots, so that none falls into the measurement.
const neverMs = 1_000_000
const watcher = watchSession({
  session,
  store,
  isDrained: () => true,
  minIntervalMs: neverMs,
  maxIntervalMs: neverMs,
})

const modelWith = (isReached: (model: Model) => boolean): Promise<void> =>
  new Promise((resolve) => {
    const unsubscribe = store.subscribe(() => {
      if (!isReached(store.get())) return
      unsubscribe()
      resolve()
    })
  })

/** Presses a key, and waits for the snapshot after its action. */
async function press(key: string): Promise<void> {
  const { snapshot } = store.get()
  const action = pressKey(store, { key, text: key })
  if (!action || action.kind === 'quit' || action.kind === 'suspend') return
  await performInto(store, session, action)
  const shown = modelWith((model) => model.snapshot !== snapshot)
  watcher.refresh()
  await shown
}

const factCount = (): number => store.get().snapshot?.info.counts.facts ?? 0

await modelWith(({ snapshot }) => snapshot !== undefined)
// The item that is dropped first warms up what is loaded with the first command.
for (const key of ['N', 'd', '5', 'x']) await press(key)
const factsBefore = factCount()
const called = await callsDuring(() => press('x'))
const facts = factCount() - factsBefore
watcher.stop()
await session.close()

const total = called.reduce((sum, { count }) => sum + count, 0)
const files = new Set(called.map(({ file }) => file)).size
for (const { file, name, count } of called
  .toSorted((one, other) => other.count - one.count)
  .slice(0, maxRows))
  process.stdout.write(`${String(count).padStart(5)}  ${name.padEnd(20)}  ${file}\n`)
const isMet = total <= maxCalls && facts === 1
process.stdout.write(
  `x in the agenda: ${total} calls of ${called.length} functions in ${files} files, ${facts} fact; at most ${maxCalls} calls: ${isMet ? 'ok' : 'OVER'}\n`,
)
process.exitCode = isMet ? 0 : 1
