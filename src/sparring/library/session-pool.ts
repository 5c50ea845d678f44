/** Sessions of a test file by their options: opened once, reset for each test that uses them, and closed at its end. */
import { isDeepStrictEqual } from 'node:util'
import { openSession } from '../../core/session/open-session.ts'
import type { SessionOptions } from '../../core/session/options.ts'
import type { Session } from '../../core/session-api/session.ts'

interface PooledSession {
  readonly options: SessionOptions
  readonly session: Session
  isFree: boolean
}

/** A session for one test; disposing of it gives it back. */
export interface LentSession extends Disposable {
  readonly session: Session
}

export interface SessionPool extends AsyncDisposable {
  /** A session with these options and a fresh world; tests that run at the same time get one each. */
  readonly lend: (options: SessionOptions) => Promise<LentSession>
}

/** A handler in this process takes no time: without `clock` its session runs on virtual time. */
const withDefaults = (options: SessionOptions): SessionOptions =>
  typeof options.subject === 'function' || options.handler !== undefined
    ? { clock: 'virtual', ...options }
    : options

export function createSessionPool(): SessionPool {
  const pool: PooledSession[] = []

  async function taken(options: SessionOptions): Promise<PooledSession> {
    const free = pool.find((each) => each.isFree && isDeepStrictEqual(each.options, options))
    if (free) {
      free.isFree = false
      await free.session.reset()
      return free
    }
    const opened = { options, session: await openSession(withDefaults(options)), isFree: false }
    pool.push(opened)
    return opened
  }

  return {
    async lend(options) {
      const lent = await taken(options)
      return {
        session: lent.session,
        [Symbol.dispose]() {
          lent.isFree = true
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(pool.splice(0).map(({ session }) => session.close()))
    },
  }
}
