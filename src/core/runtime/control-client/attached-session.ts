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
import { type ControlClient, type ControlTarget, createControlClient } from './control-client.ts'
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
    note: refused,
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

/** Its members are bound: it is passed on spread, as every session. */
export class AttachedSession implements SessionApi {
  readonly #readOnly: boolean
  readonly #url: string
  readonly #client: ControlClient
  readonly #changes: SessionChangeApi
  readonly #closing = new AbortController()
  readonly #listeners = new Set<() => void>()
  readonly #noticeListeners = new Set<(notice: AttachmentNotice) => void>()
  readonly #connected = Promise.withResolvers<void>()
  #access: PositionGreeting['access'] = 'control'
  #sessionId = ''
  #version = ''
  #position: SessionPosition | undefined
  #lost: LostConnection | undefined
  #notices: readonly AttachmentNotice[] = []
  #lastNotice = 0
  #missed: MissedChanges | undefined
  /** Aborted when the connection is lost, since an answer may never come. */
  #requests = new AbortController()
  readonly #closed: Promise<never>
  /** Resolves with the first connection; rejects when the first attempt fails. */
  readonly connected: Promise<void>

  constructor(options: AttachOptions) {
    const { target } = options
    this.#readOnly = options.readOnly ?? false
    const { url } = target
    this.#url = url
    this.#client = createControlClient(target)
    this.#changes = createRemoteChanges(this.#client, url)
    this.#connected.promise.catch(() => undefined)
    void followPosition({
      ...options,
      client: this.#client,
      signal: this.#closing.signal,
      onGreeting: (greeting) => {
        const wasLost = this.#lost
        this.#lost = undefined
        ;({ access: this.#access } = greeting)
        if (this.#position && wasLost) this.#tellReturn(greeting, this.#position, wasLost.at)
        this.#sessionId = greeting.session
        ;({ version: this.#version } = greeting)
        this.#position = greeting
        this.#connected.resolve()
        this.#notify()
      },
      onPosition: (next) => {
        this.#position = next
        this.#notify()
      },
      onEnd: () => {
        options.onEnd?.()
        this.#notify()
      },
      onLost: (because) => {
        if (this.#lost) this.#lost.because = because
        else {
          this.#lost = { at: Date.now(), because }
          this.#requests.abort()
          this.#requests = new AbortController()
          if (this.#position)
            this.#note('lost', `the connection to ${this.#url} is lost: ${because}`)
          this.#connected.reject(
            problem(`attaching to the session at ${this.#url}`, because, 'Try again later.', 3),
          )
        }
        this.#notify()
      },
    })
    this.#closed = new Promise<never>((_, reject) => {
      this.#closing.signal.addEventListener('abort', () =>
        reject(
          problem(
            `looking at the session at ${this.#url}`,
            'the viewer was closed',
            'Attach again.',
          ),
        ),
      )
    })
    this.#closed.catch(() => undefined)
    this.connected = this.#connected.promise
  }

  readonly submit: SessionApi['submit'] = (command) => this.#allowed().submit(command)
  readonly createOrder: SessionApi['createOrder'] = (request) =>
    this.#allowed().createOrder(request)
  readonly resend: SessionApi['resend'] = (seq) => this.#allowed().resend(seq)
  readonly note: SessionApi['note'] = (seq, text) => this.#allowed().note(seq, text)
  readonly fork: SessionApi['fork'] = (at) => this.#allowed().fork(at)
  readonly judge: SessionApi['judge'] = () => this.#allowed().judge()
  readonly step: SessionApi['step'] = () => this.#allowed().step()
  readonly setClock: SessionApi['setClock'] = (change) => this.#allowed().setClock(change)
  readonly advance: SessionApi['advance'] = (ms, limits) => this.#allowed().advance(ms, limits)
  readonly reset: SessionApi['reset'] = (seed) => this.#allowed().reset(seed)
  readonly stop: NonNullable<SessionApi['stop']> = () => this.#allowed().stop()

  readonly look = async (view: View): Promise<Snapshot> => {
    this.#throwIfLost()
    const reply = await this.#client
      .send('POST', lookPath, { body: view, signal: this.#requests.signal })
      .catch((error: unknown) => {
        if (this.#closing.signal.aborted) return this.#closed
        this.#throwIfLost()
        throw error
      })
    const snapshot = bodyOf(reply, this.#url, '/look') as Snapshot
    const attached: Attachment = {
      url: this.#url,
      session: reply.session ?? this.#sessionId,
      readOnly: this.#refusal() !== undefined,
      notices: this.#notices,
      ...compact({ missed: this.#missed }),
    }
    return { ...snapshot, attached }
  }

  /** Looks that wait for the connection while there is none; they fail when the viewer is closed. */
  readonly patientLook = async (view: View): Promise<Snapshot> => {
    for (;;) {
      try {
        return await this.look(view)
      } catch (error) {
        if (this.#closing.signal.aborted) throw error
        // What is wrong with the view itself stays wrong.
        if (!this.#lost && !(error instanceof Problem && error.exit === 3)) throw error
        await Promise.race([
          this.#closed,
          new Promise((resolve) => setTimeout(resolve, lookAgainMs)),
        ])
      }
    }
  }

  readonly subscribe: SessionApi['subscribe'] = (listener) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly subscribeToNotices = (listener: (notice: AttachmentNotice) => void): (() => void) => {
    this.#noticeListeners.add(listener)
    return () => this.#noticeListeners.delete(listener)
  }

  /** Milliseconds since the connection was lost; undefined while there is one. */
  lostForMs(): number | undefined {
    return this.#lost ? Date.now() - this.#lost.at : undefined
  }

  readonly close = (): void => {
    this.#closing.abort()
    this.#requests.abort()
  }

  /** Refuses changes, where none is allowed. */
  #refusal(): SessionChangeApi | undefined {
    return this.#readOnly
      ? refusals.readOnly
      : this.#access === 'view'
        ? refusals.viewToken
        : undefined
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }

  #note(kind: AttachmentNotice['kind'], text: string): void {
    const notice = { seq: ++this.#lastNotice, kind, text }
    this.#notices = [...this.#notices.slice(1 - maxNotices), notice]
    for (const listener of this.#noticeListeners) listener(notice)
  }

  /** Says what has happened since the connection was lost. */
  #tellReturn(greeting: PositionGreeting, before: SessionPosition, since: number): void {
    const age = ageText(Date.now() - since)
    if (greeting.session !== this.#sessionId) {
      this.#missed = undefined
      const seed =
        greeting.seed === before.seed
          ? `the seed is ${greeting.seed} again`
          : `its seed is ${greeting.seed}, before it was ${before.seed}`
      const other =
        greeting.version === this.#version
          ? ''
          : `; it is Sparring ${greeting.version}, before it was ${this.#version}: attach anew with that version`
      return this.#note(
        'restarted',
        `connected after ${age} to another session: it was started anew; ${seed}${other}`,
      )
    }
    const between = missedBetween(before, greeting)
    const { facts, exchanges } = between.missed
    const counts = [facts.to - facts.after, exchanges.to - exchanges.after] as const
    this.#missed = counts.some((count) => count > 0) ? between.missed : undefined
    const text = this.#missed
      ? `${countsText(...counts)} came meanwhile`
      : 'nothing has happened meanwhile'
    this.#note(
      'back',
      `connected again after ${age}: ${between.isReset ? 'the world is a fresh one; ' : ''}${text}`,
    )
  }

  #lostText({ at, because }: LostConnection): string {
    return `since ${clockText(at)}, for ${ageText(Date.now() - at)}: ${because}; trying again`
  }

  #throwIfLost(): void {
    if (this.#lost) throw new Error(this.#lostText(this.#lost))
  }

  readonly #allowed = (): SessionChangeApi => this.#refusal() ?? this.#changes
}
