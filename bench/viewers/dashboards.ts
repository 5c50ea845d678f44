/**
 * Viewers of a session, each as `sparring attach` has it, but for the terminal: an attached session, the model of a dashboard
 * with all panes, and the watch that looks whenever something has changed. It notes when each number of facts has arrived.
 */
import { AttachedSession } from '../../src/core/runtime/control-client/attached-session.ts'
import { initialModel } from '../../src/terminal/dashboard/model/model.ts'
import { createModelStore } from '../../src/terminal/dashboard/runtime/store.ts'
import { type SessionWatcher, watchSession } from '../../src/terminal/dashboard/runtime/watch.ts'
import { type FactArrival, serveIpc } from '../ipc.ts'

interface Viewer {
  readonly session: AttachedSession
  readonly watcher: SessionWatcher
  readonly arrivals: FactArrival[]
  looks: number
}

/** Each viewer has a terminal of another size, so that none is given the answer of another. */
const columns = 160
const rowsOf = (index: number): number => 50 - 3 * (index % 8)

async function open(url: string, index: number): Promise<Viewer> {
  const session = new AttachedSession({ target: { url } })
  await session.connected
  const store = createModelStore(initialModel(columns, rowsOf(index)))
  const arrivals: FactArrival[] = []
  const viewer: Viewer = {
    session,
    arrivals,
    looks: 0,
    watcher: watchSession({ session, store, isDrained: () => true }),
  }
  const first = Promise.withResolvers<void>()
  let facts = -1
  let last: unknown
  store.subscribe(() => {
    const { snapshot } = store.get()
    if (!snapshot || snapshot === last) return
    last = snapshot
    viewer.looks++
    const now = snapshot.info.counts.facts
    if (facts >= 0 && now > facts) arrivals.push({ first: facts + 1, at: Date.now() })
    facts = now
    first.resolve()
  })
  await first.promise
  return viewer
}

const viewers: Viewer[] = []

serveIpc(
  {
    async watch({ control, count }) {
      for (let opened = 0; opened < count; opened++) viewers.push(await open(control, opened))
      return {}
    },
    unwatch() {
      const closed = viewers.splice(0)
      for (const { session, watcher } of closed) {
        watcher.stop()
        session.close()
      }
      return {
        looks: closed.reduce((sum, { looks }) => sum + looks, 0),
        arrivals: closed.map(({ arrivals }) => arrivals),
      }
    },
    stop: () => ({}),
  },
  { port: 0, token: '' },
)
