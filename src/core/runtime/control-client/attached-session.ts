/**
 * The session API for a viewer that stays with a session in another process: it keeps its position while the connection is
 * lost, connects again, and says what it has missed. With `readOnly`, or a token for viewers, nothing can be changed.
 */
import { compact } from '../../base/compact.ts'
import { pluralise } from '../../protocol/count-text.ts'
import { err } from '../../protocol/result.ts'
import { Problem, problem } from '../../base/problem.ts'
import type { Attachment, AttachmentNotice, MissedChanges } from '../../session-api/attachment.ts'
import type { SessionApi, Snapshot, View } from '../../session-api/session-api.ts'
import { type ControlTarget, createControlClient } from './control-client.ts'
import { followPosition, type PositionFollowerOptions } from './position-follower.ts'
import type { PositionGreeting, SessionPosition } from '../control/position-feed.ts'
import { bodyOf, createRemoteChanges, type SessionChangeApi } from './remote-session.ts'

export interface AttachOptions extends Partial<
  Pick<PositionFollowerOptions, 'silenceMs' | 'firstRetryMs' | 'maxRetryMs'>
> {
  readonly target: ControlTarget
  readonly readOnly?: boolean
  /** Called when the session is being stopped; looks are answered for a moment. */
  readonly onEnd?: () => void
}

export interface AttachedSession extends SessionApi {
  /** Looks that wait for the connection while there is none; they fail when the viewer is closed. */
  readonly patientLook: SessionApi['look']
  readonly subscribeToNotices: NonNullable<SessionApi['subscribeToNotices']>
  /** Milliseconds since the connection was lost; undefined while there is one. */
  readonly lostForMs: () => number | undefined
  /** Resolves with the first connection; rejects when the first attempt fails. */
  readonly connected: Promise<void>
  readonly close: () => void
}

/**
 * Viewers that look at the same share an answer that is at most so old; what was changed through the session is in it.
 */
const lookPath = '/look?age=120'

/** Notices that are kept. */
const maxNotices = 20
/** Pause before a look is tried again that failed for want of a connection. */
const lookAgainMs = 100

interface LostConnection {
  /** On the wall clock. */
  readonly at: number
  because: string
}

const clockText = (at: number): string => new Date(at).toTimeString().slice(0, 8)

function ageText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

const countsText = (facts: number, exchanges: number): string =>
  `${facts === 1 ? '1 journal entry' : `${facts} journal entries`} and ${pluralise(exchanges, 'exchange')}`

/** Refuses every change. */
function createRefusals(wrong: string, remedy: string): SessionChangeApi {
  const message = `${wrong}: ${remedy}`
  const refused = () => Promise.resolve(err({ code: 'FORBIDDEN', message } as const))
  const thrown = () => Promise.reject(problem('changing the session', wrong, `${remedy}.`))
  return {
    submit: refused,
    createOrder: refused,
    resend: refused,
    fork: refused,
    judge: thrown,
    step: thrown,
    setClock: thrown,
    advance: thrown,
    reset: thrown,
    stop: thrown,
  }
}

/** Changes where the operator wants to look only, and where the token allows nothing else. */
const refusals = {
  readOnly: createRefusals('this viewer only looks', 'attach without --read-only'),
  viewToken: createRefusals(
    'this token lets you look at the session, not change it',
    'attach with the token of the session itself',
  ),
} as const

/** What came between two positions of the same session; after a reset the facts count from 1. */
function missedBetween(
  before: SessionPosition,
  now: SessionPosition,
): { readonly isReset: boolean; readonly missed: MissedChanges } {
  const isReset = now.facts < before.facts || now.seed !== before.seed
  return {
    isReset,
    missed: {
      facts: { after: isReset ? 0 : before.facts, to: now.facts },
      exchanges: { after: Math.min(before.exchanges, now.exchanges), to: now.exchanges },
    },
  }
}

export function attachToSession(options: AttachOptions): AttachedSession {
  const { target, readOnly = false, onEnd } = options
  const { url } = target
  const client = createControlClient(target)
  const changes = createRemoteChanges(client, url)
  const closing = new AbortController()
  const listeners = new Set<() => void>()
  const noticeListeners = new Set<(notice: AttachmentNotice) => void>()
  const connected = Promise.withResolvers<void>()
  connected.promise.catch(() => undefined)
  let access: PositionGreeting['access'] = 'control'
  let sessionId = ''
  let version = ''
  let position: SessionPosition | undefined
  let lost: LostConnection | undefined
  let notices: readonly AttachmentNotice[] = []
  let lastNotice = 0
  let missed: MissedChanges | undefined
  /** Aborted when the connection is lost, since an answer may never come. */
  let requests = new AbortController()

  /** Refuses changes, where none is allowed. */
  const refusal = (): SessionChangeApi | undefined =>
    readOnly ? refusals.readOnly : access === 'view' ? refusals.viewToken : undefined
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  function note(kind: AttachmentNotice['kind'], text: string): void {
    const notice = { seq: ++lastNotice, kind, text }
    notices = [...notices.slice(1 - maxNotices), notice]
    for (const listener of noticeListeners) listener(notice)
  }

  /** Says what has happened since the connection was lost. */
  function tellReturn(greeting: PositionGreeting, before: SessionPosition, since: number): void {
    const age = ageText(Date.now() - since)
    if (greeting.session !== sessionId) {
      missed = undefined
      const seed =
        greeting.seed === before.seed
          ? `the seed is ${greeting.seed} again`
          : `its seed is ${greeting.seed}, before it was ${before.seed}`
      const other =
        greeting.version === version
          ? ''
          : `; it is Sparring ${greeting.version}, before it was ${version}: attach anew with that version`
      return note(
        'restarted',
        `connected after ${age} to another session: it was started anew; ${seed}${other}`,
      )
    }
    const between = missedBetween(before, greeting)
    const { facts, exchanges } = between.missed
    const counts = [facts.to - facts.after, exchanges.to - exchanges.after] as const
    missed = counts.some((count) => count > 0) ? between.missed : undefined
    const text = missed
      ? `${countsText(...counts)} came meanwhile`
      : 'nothing has happened meanwhile'
    note(
      'back',
      `connected again after ${age}: ${between.isReset ? 'the world is a fresh one; ' : ''}${text}`,
    )
  }

  void followPosition({
    ...options,
    client,
    signal: closing.signal,
    onGreeting(greeting) {
      const wasLost = lost
      lost = undefined
      ;({ access } = greeting)
      if (position && wasLost) tellReturn(greeting, position, wasLost.at)
      sessionId = greeting.session
      ;({ version } = greeting)
      position = greeting
      connected.resolve()
      notify()
    },
    onPosition(next) {
      position = next
      notify()
    },
    onEnd() {
      onEnd?.()
      notify()
    },
    onLost(because) {
      if (lost) lost.because = because
      else {
        lost = { at: Date.now(), because }
        requests.abort()
        requests = new AbortController()
        if (position) note('lost', `the connection to ${url} is lost: ${because}`)
        connected.reject(
          problem(`attaching to the session at ${url}`, because, 'Try again later.', 3),
        )
      }
      notify()
    },
  })

  const lostText = ({ at, because }: LostConnection): string =>
    `since ${clockText(at)}, for ${ageText(Date.now() - at)}: ${because}; trying again`

  const throwIfLost = (): void => {
    if (lost) throw new Error(lostText(lost))
  }

  const closed = new Promise<never>((_, reject) => {
    closing.signal.addEventListener('abort', () =>
      reject(problem(`looking at the session at ${url}`, 'the viewer was closed', 'Attach again.')),
    )
  })
  closed.catch(() => undefined)

  async function look(view: View): Promise<Snapshot> {
    throwIfLost()
    const reply = await client
      .send('POST', lookPath, { body: view, signal: requests.signal })
      .catch((error: unknown) => {
        if (closing.signal.aborted) return closed
        throwIfLost()
        throw error
      })
    const snapshot = bodyOf(reply, url, '/look') as Snapshot
    const attached: Attachment = {
      url,
      session: reply.session ?? sessionId,
      readOnly: refusal() !== undefined,
      notices,
      ...compact({ missed }),
    }
    return { ...snapshot, attached }
  }

  async function patientLook(view: View): Promise<Snapshot> {
    for (;;) {
      try {
        return await look(view)
      } catch (error) {
        if (closing.signal.aborted) throw error
        // What is wrong with the view itself stays wrong.
        if (!lost && !(error instanceof Problem && error.exit === 3)) throw error
        await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, lookAgainMs))])
      }
    }
  }

  const allowed = (): SessionChangeApi => refusal() ?? changes

  return {
    submit: (command) => allowed().submit(command),
    createOrder: (request) => allowed().createOrder(request),
    resend: (seq) => allowed().resend(seq),
    fork: (at) => allowed().fork(at),
    judge: () => allowed().judge(),
    step: () => allowed().step(),
    setClock: (change) => allowed().setClock(change),
    advance: (ms, limits) => allowed().advance(ms, limits),
    reset: (seed) => allowed().reset(seed),
    stop: () => allowed().stop(),
    look,
    patientLook,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    subscribeToNotices(listener) {
      noticeListeners.add(listener)
      return () => noticeListeners.delete(listener)
    },
    lostForMs: () => (lost ? Date.now() - lost.at : undefined),
    connected: connected.promise,
    close: () => {
      closing.abort()
      requests.abort()
    },
  }
}
