/**
 * Plays schedules in worker threads, in each a session at a time: first what is asked for, then what is expected to be. A play is
 * a function of its schedules and the seed, so that results do not depend on who plays them, nor on when. What has begun is played
 * to its end, or abandoned with the campaign.
 */
import { availableParallelism } from 'node:os'
import { parentPort, Worker } from 'node:worker_threads'
import { Problem, problem } from '../../core/base/problem.ts'
import type { BatchEntry, ExpectedPlay, ScheduleRunner } from '../batch/schedule-runner.ts'
import type { BatchResult, ReplayResult } from '../schedules/result.ts'
import { scheduleText } from '../schedules/schedule.ts'

/** Threads at most by default, and at all: each loads all of the program, and a service. */
const maxDefaultWorkers = 8
const maxWorkers = 64
/** Plays for each thread that are played before they are asked for. */
const aheadOfEach = 2

export interface SessionWorkersOptions {
  /** The program of a thread, which calls `answerPlays`. */
  readonly program: URL
  /** Sent to it, as `workerData`. */
  readonly data: unknown
  /** One for each core, when absent. */
  readonly workers?: number | undefined
  readonly width: () => number
  /** Aborts when nothing counts that is still played. */
  readonly enough: AbortSignal
}

interface Play extends ExpectedPlay {
  readonly result: PromiseWithResolvers<unknown>
}

interface Answer {
  readonly result?: unknown
  readonly error?: Error
  /** The exit code, where the error is a `Problem`: a thread is sent plain errors. */
  readonly exit?: number | undefined
}

/** Answers in a worker thread, one play after the other. */
export function answerPlays(runner: ScheduleRunner): void {
  const play = ({ entries, attempt }: ExpectedPlay): Promise<unknown> => {
    const [entry] = entries
    return attempt === undefined || !entry ? runner.play(entries) : runner.playAgain(entry, attempt)
  }
  parentPort?.on('message', (asked: ExpectedPlay) => {
    void play(asked)
      .then(
        (result): Answer => ({ result }),
        (error: Error): Answer => ({
          error,
          exit: error instanceof Problem ? error.exit : undefined,
        }),
      )
      .then((answer) => parentPort?.postMessage(answer, []))
  })
}

/** Equal for plays with the same result. */
const keyOf = ({ entries, attempt }: ExpectedPlay): string =>
  [String(attempt), ...entries.map(({ schedule }) => scheduleText(schedule))].join('\n')

function playOf({ entries, attempt }: ExpectedPlay): Play {
  const result = Promise.withResolvers<unknown>()
  // What is not asked for fails unnoticed.
  result.promise.catch(() => undefined)
  return { entries, attempt, result }
}

/** The first line of a stack trace that names a place. */
const placeOf = ({ stack = '' }: Error): string =>
  /^ +at .*$/m.exec(stack)?.[0].replace(/^ +/, ' ') ?? ''

export class SessionWorkers implements ScheduleRunner, AsyncDisposable {
  readonly width: () => number
  readonly #options: SessionWorkersOptions
  readonly #max: number
  readonly #death = new AbortController()
  /** Aborts when a thread has died; the reason is a `Problem`. */
  readonly died = this.#death.signal
  /** With what each plays. */
  readonly #threads = new Map<Worker, Play | undefined>()
  readonly #asked: Play[] = []
  /** By key: what is expected to be asked for, in this order. */
  #soon = new Map<string, ExpectedPlay>()
  #later = new Map<string, ExpectedPlay>()
  /** By key: begun before it was asked for. */
  readonly #ahead = new Map<string, Play>()
  #over: { readonly reason: unknown } | undefined

  constructor(options: SessionWorkersOptions) {
    const { workers = Math.min(maxDefaultWorkers, availableParallelism()), enough } = options
    if (!Number.isInteger(workers) || workers < 1 || workers > maxWorkers)
      throw problem(
        'reading the option workers',
        `it is ${workers}`,
        `Give a whole number from 1 to ${maxWorkers}.`,
      )
    this.#options = options
    this.#max = workers
    this.width = options.width
    enough.addEventListener('abort', () => void this.#end(enough.reason), { once: true })
  }

  /** A campaign asks for one play after the other, however many threads there are. */
  readonly sessions = (): number => 1

  async play(entries: readonly BatchEntry[]): Promise<BatchResult> {
    return (await this.#ask({ entries })) as BatchResult
  }

  async playAgain(entry: BatchEntry, attempt: number): Promise<ReplayResult> {
    return (await this.#ask({ entries: [entry], attempt })) as ReplayResult
  }

  expect(plays: readonly ExpectedPlay[], isSoon = false): void {
    const expected = new Map(plays.map((each) => [keyOf(each), each]))
    this.#soon = isSoon ? expected : new Map()
    if (!isSoon) this.#later = expected
    for (const key of this.#ahead.keys())
      if (!this.#soon.has(key) && !this.#later.has(key)) this.#ahead.delete(key)
    this.#assign()
  }

  async [Symbol.asyncDispose]() {
    await this.#end(new Error('its threads have ended'))
  }

  #ask(asked: ExpectedPlay): Promise<unknown> {
    if (this.#over) throw this.#over.reason
    const key = keyOf(asked)
    const begun = this.#ahead.get(key)
    this.#ahead.delete(key)
    for (const each of [this.#soon, this.#later]) each.delete(key)
    const play = begun ?? playOf(asked)
    if (!begun) this.#asked.push(play)
    this.#assign()
    return play.result.promise
  }

  /** Gives free threads what is asked for, then what is expected. */
  #assign(): void {
    for (;;) {
      const [free] = [...this.#threads].flatMap(([each, play]) => (play ? [] : [each]))
      if (this.#over || (!free && this.#threads.size === this.#max)) return
      const play = this.#asked.shift() ?? this.#nextExpected()
      if (!play) return
      const thread = free ?? this.#startThread()
      this.#threads.set(thread, play)
      const { entries, attempt } = play
      thread.postMessage({ entries, attempt }, [])
    }
  }

  #nextExpected(): Play | undefined {
    const isUnbegun = ([key]: readonly [string, unknown]): boolean => !this.#ahead.has(key)
    const isFull = this.#ahead.size >= aheadOfEach * this.#max
    const [key, expected] =
      [...this.#soon].find(isUnbegun) ?? (isFull ? [] : ([...this.#later].find(isUnbegun) ?? []))
    if (key === undefined || !expected) return undefined
    const play = playOf(expected)
    this.#ahead.set(key, play)
    return play
  }

  #startThread(): Worker {
    const { program, data } = this.#options
    const thread = new Worker(program, { workerData: data })
    thread.on('message', (answer: Answer) => {
      const play = this.#threads.get(thread)
      this.#threads.set(thread, undefined)
      const { result, error, exit } = answer
      if (error) play?.result.reject(exit === undefined ? error : new Problem(error.message, exit))
      else play?.result.resolve(result)
      this.#assign()
    })
    thread.on('error', (error) => this.#die(thread, `${String(error)}${placeOf(error)}`))
    thread.on('exit', (code) => this.#die(thread, `it ended with code ${code}`))
    return thread
  }

  #die(thread: Worker, because: string): void {
    if (this.#over) return
    const [entry] = this.#threads.get(thread)?.entries ?? []
    const last = entry ? ` while it played "${scheduleText(entry.schedule)}"` : ''
    const died = problem(
      'playing schedules in a worker thread',
      `${because}${last}`,
      'Correct what ends it: a service may end its session, not its thread.',
    )
    void this.#end(died)
    this.#death.abort(died)
  }

  async #end(reason: unknown): Promise<void> {
    this.#over ??= { reason }
    const plays = [...this.#asked, ...this.#threads.values(), ...this.#ahead.values()]
    for (const play of plays) play?.result.reject(this.#over.reason)
    await Promise.all([...this.#threads.keys()].map((each) => each.terminate()))
  }
}
