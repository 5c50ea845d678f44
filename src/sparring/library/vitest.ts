/**
 * Entry `sparring/vitest`: registers the matchers, and a `test` with a session: opened once for each file, with a fresh
 * world for each test.
 *
 * @example
 * import { test } from 'sparring/vitest'
 *
 * test.override('sparring', { as: 'software-service', subject: app.fetch })
 * test('confirms an order', async ({ session }) => {
 *   await session.createOrder({ type: 'DELIVERY' })
 *   await expect(session).toConverge()
 *   expect(session).toHaveNoBrokenRules()
 * })
 */
import { expect, test as base } from 'vitest'
import { matchers, type SparringMatchers } from './session-matchers.ts'
import { brokenRules, brokenRulesText } from './failure-text.ts'
import { problem } from '../../core/base/problem.ts'
import type { SessionOptions } from '../../core/session/options.ts'
import type { Session } from '../../core/session-api/session.ts'
import { isDeepStrictEqual } from 'node:util'
import { openSession } from '../../core/session/open-session.ts'

/** Sessions of a test file by their options: opened once, reset for each test that uses them, and closed at its end. */
interface PooledSession {
  readonly options: SessionOptions
  readonly session: Session
  isFree: boolean
}

/** A session for one test; disposing of it gives it back. */
interface LentSession extends Disposable {
  readonly session: Session
}

interface SessionPool extends AsyncDisposable {
  /** A session with these options and a fresh world; tests that run at the same time get one each. */
  readonly lend: (options: SessionOptions) => Promise<LentSession>
}

/** A handler in this process takes no time: without `clock` its session runs on virtual time. */
const withDefaults = (options: SessionOptions): SessionOptions =>
  typeof options.subject === 'function' || options.handler !== undefined
    ? { clock: 'virtual', ...options }
    : options

function createSessionPool(): SessionPool {
  const pool: PooledSession[] = []

  async function taken(options: SessionOptions): Promise<PooledSession> {
    const free = pool.find((each) => each.isFree && isDeepStrictEqual(each.options, options))
    if (free) {
      free.isFree = false
      await free.session.reset(options.seed)
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

declare module 'vitest' {
  interface Matchers<
    R extends void | Promise<void> = void | Promise<void>,
    T = unknown,
  > extends SparringMatchers<R> {}
}

expect.extend(matchers)

const defaultSeed = 42

/** The seed of the options; else of the environment, which tries a test with other data; else always the same. */
function seedOf({ seed }: SessionOptions): number {
  const text = process.env['SPARRING_SEED']
  if (seed !== undefined || text === undefined || text === '') return seed ?? defaultSeed
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw problem(
    'reading SPARRING_SEED',
    `it is ${JSON.stringify(text)}`,
    'Give it a whole number, 0 or more.',
  )
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** How to run a test again with the same data, and the rules that were broken in it. */
function failureReport(session: Session, seed: number, file: string, name: string): string {
  const broken = session.hasRules() ? brokenRules(session.verdicts()) : []
  return [
    `sparring: seed ${seed}. Again: SPARRING_SEED=${seed} npx vitest run ${quoted(file)} -t ${quoted(name)}`,
    ...(broken.length > 0 ? [brokenRulesText(broken)] : []),
  ].join('\n')
}

const noOptions: SessionOptions = {}

/**
 * Vitest's `test` with two fixtures. `sparring`: options of the session, as `openSession` takes them, set with
 * `test.override('sparring', { … })`. `session`: a session with these options and a fresh world.
 */
const test = base
  .extend('sparring', noOptions)
  .extend('newPool', { scope: 'file' }, () => createSessionPool)
  .extend('sessions', { scope: 'file' }, ({ newPool }, { onCleanup }) => {
    const pool = newPool()
    onCleanup(() => pool[Symbol.asyncDispose]())
    return pool
  })
  .extend('session', async ({ sparring, sessions, task, onTestFailed }, { onCleanup }) => {
    const seed = seedOf(sparring)
    const lent = await sessions.lend({ ...sparring, seed })
    onTestFailed(() => {
      process.stderr.write(
        `${failureReport(lent.session, seed, task.file.name, task.fullTestName)}\n`,
      )
    })
    onCleanup(() => lent[Symbol.dispose]())
    return lent.session
  })

// Not exported where it is declared: the roll-up of the types would lose it.
export { test }
