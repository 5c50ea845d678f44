/**
 * Sparring itself as the subject of a session: a second session in this process plays the role that the first one leaves
 * out. Its virtual clock follows that of the first, so that waits, timeouts and retries of both are on the same time.
 */
import { defaultConfiguration } from '../../src/core/session-api/configuration/defaults.ts'
import type { Role } from '../../src/core/protocol/role.ts'
import type { FetchHandler, Session } from '../../src/core/session-api/session.ts'
import type { SessionOptions } from '../../src/core/session/options.ts'
import { prepareSession } from '../../src/core/session/session.ts'

export interface SessionService extends AsyncDisposable {
  readonly fetch: FetchHandler
  /** The second session. */
  readonly session: Promise<Session>
}

export interface SessionServiceOptions extends Pick<
  SessionOptions,
  'capabilities' | 'counterparts' | 'conduct' | 'dialect' | 'seed'
> {
  readonly plays: Role
  /** The role of the first session that it deals with. */
  readonly partner: Role
  /** Further roles of the first session that it deals with. */
  readonly others?: readonly Role[]
  /** It goes by the wall clock, so many times as fast, and not by the clock of the first session. */
  readonly speed?: number | undefined
}

/** The first session takes the other for its subject, and each knows the other by these. */
const defaults = defaultConfiguration()

/** The longest jump of its clock, in ms. */
const maxJumpMs = 10_000
/** It waits so long for an answer, in ms, and closes the connection then. */
const timeoutMs = 10_000

/** The way to the first session. */
const withTimeout =
  ({ fetch, clock }: Pick<Session, 'fetch' | 'clock'>): FetchHandler =>
  async (request) => {
    const [answered, late] = [new AbortController(), new AbortController()]
    // Without a reason an exception with its stack would be created for each call.
    const end = (): void => late.abort(answered.signal.aborted ? 'answered' : undefined)
    void clock.sleep(timeoutMs, answered.signal).then(end)
    try {
      return await fetch(new Request(request, { signal: late.signal }))
    } finally {
      answered.abort('answered')
    }
  }

async function openService(
  { plays, partner, others = [], counterparts, speed, ...options }: SessionServiceOptions,
  answer: FetchHandler,
) {
  const { clientId, clientSecret } = defaults.subject.credentials
  const session = await prepareSession({
    ...options,
    only: [plays],
    subject: { role: partner, credentials: defaults.counterparts[partner].credentials },
    handler: answer,
    fetch: answer,
    elsewhere: others,
    listen: false,
    automatic: false,
    // Only the first session judges.
    tolerances: { on: false },
    ...(speed === undefined ? { clock: 'virtual' } : { clock: 'real', speed }),
    counterparts: {
      ...counterparts,
      [plays]: { ...counterparts?.[plays], credentials: { clientId, clientSecret } },
    },
  })
  // Its time goes on while a call of it is not answered: the answer waits for the same time.
  session.clock.now()
  await session.begin()
  return session
}

/** The first session waits while the other works: its time passes where nothing asks for it for some turns. */
async function awaited<Value>(
  work: Promise<Value>,
  { clock }: Pick<Session, 'clock'>,
): Promise<Value> {
  let isOver = false
  const over = (): void => void (isOver = true)
  work.then(over, over)
  while (!isOver) {
    clock.now()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return work
}

export function startSessionService(
  options: SessionServiceOptions,
  first: Pick<Session, 'fetch' | 'clock'>,
): SessionService {
  if (options.speed !== undefined) {
    const own = openService(options, first.fetch)
    return {
      session: own,
      fetch: async (request) => (await own).fetch(request),
      [Symbol.asyncDispose]: async () => (await own).close(),
    }
  }
  const { clock } = first
  const opening = openService(options, withTimeout(first))
  const stopped = new AbortController()
  let passing = Promise.resolve()
  let called = new AbortController()

  /** Brings its clock to the time of the first session; one after the other. */
  const catchUp = (): Promise<void> =>
    (passing = passing.then(async () => {
      const session = await opening
      await awaited(session.advance(Math.max(0, clock.now() - session.clock.now())), first)
    }))

  /** Lets time pass to its next item, or until it is called, which may plan another. */
  async function run(): Promise<void> {
    const session = await opening
    while (!stopped.signal.aborted) {
      await catchUp()
      called = new AbortController()
      const { agenda } = await session.look({ agenda: { limit: 1 } })
      const waitMs = (agenda[0]?.due ?? Number.POSITIVE_INFINITY) - clock.now()
      const enough = AbortSignal.any([stopped.signal, called.signal])
      await clock.sleep(Math.max(1, Math.min(maxJumpMs, waitMs)), enough)
    }
  }

  const running = run()
  return {
    session: opening,
    async fetch(request) {
      await catchUp()
      const answered = await (await opening).fetch(request)
      called.abort('called')
      return answered
    },
    async [Symbol.asyncDispose]() {
      stopped.abort()
      await running
      await (await opening).close()
    },
  }
}
