/**
 * Puts a file at a URL and gets one from it, as presigned URLs of a bucket allow, with a bounded number of attempts.
 */
import { openAsBlob } from 'node:fs'
import { errorCode, fileProblem } from '../../../core/runtime/files/file-problem.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import { abortableSleep } from '../../../core/runtime/clock/clock.ts'
import { exitCode } from '../exit-code.ts'
import { shownUrl } from './part-urls.ts'

export interface TransferOptions {
  /** Ends the pause between two attempts, and the attempt. */
  readonly signal?: AbortSignal
  /** Waits between two attempts; replaced in tests. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

const maxAttempts = 5
const firstPauseMs = 1000
/** Also of a pause that the bucket asks for. */
const maxPauseMs = 30_000
const attemptTimeoutMs = 10 * 60_000

const neverAborted = new AbortController().signal

/** Answers after which the same request may succeed. */
const isPassing = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500

interface Failure {
  readonly because: string
  readonly isFinal: boolean
  readonly pauseMs?: number
  readonly status?: number
}

/** In ms; only seconds are read, which is what buckets send. */
const askedPauseMs = ({ headers }: Response): number | undefined => {
  const text = headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) * 1000 : undefined
}

/** The code of an S3-like error document: `AccessDenied`. */
const codeIn = (document: string): string => {
  const [, code] = /<Code>(\w{1,60})<\/Code>/.exec(document) ?? []
  return code === undefined ? '' : ` (${code})`
}

async function failureOf(response: Response): Promise<Failure> {
  const { status } = response
  const pauseMs = askedPauseMs(response)
  const document = await response.text().catch(() => '')
  return {
    because: `the answer is ${status}${codeIn(document)}`,
    isFinal: !isPassing(status),
    status,
    ...(pauseMs === undefined ? {} : { pauseMs }),
  }
}

/** The cause of a failed fetch stands behind its message. */
function connectionFailure(error: unknown): Failure {
  const { cause } = error instanceof Error ? error : {}
  const because = cause instanceof Error && cause.message !== '' ? cause.message : String(error)
  return { because, isFinal: false }
}

type Attempt<Value> = { readonly value: Value } | { readonly failure: Failure }

interface Transfer<Value> extends TransferOptions {
  readonly url: string
  readonly request: RequestInit
  readonly read: (response: Response) => Promise<Value>
}

async function attempt<Value>(
  { url, request, read }: Transfer<Value>,
  signal: AbortSignal,
): Promise<Attempt<Value>> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(attemptTimeoutMs)])
  try {
    const response = await fetch(url, { ...request, signal: limit })
    return response.ok ? { value: await read(response) } : { failure: await failureOf(response) }
  } catch (error) {
    return { failure: connectionFailure(error) }
  }
}

const pauseAfter = (attempts: number, { pauseMs }: Failure): number =>
  Math.min(maxPauseMs, pauseMs ?? firstPauseMs * 2 ** (attempts - 1))

/** Tries again what may pass by; returns the answer, or why there is none. */
async function withAttempts<Value>(
  transfer: Transfer<Value>,
): Promise<{ readonly value: Value } | { readonly failure: Failure; readonly attempts: number }> {
  const { signal = neverAborted, sleep = abortableSleep } = transfer
  for (let attempts = 1; ; attempts++) {
    const ended = await attempt(transfer, signal)
    if ('value' in ended) return ended
    const { failure } = ended
    if (failure.isFinal || attempts === maxAttempts || signal.aborted) return { failure, attempts }
    await sleep(pauseAfter(attempts, failure), signal)
  }
}

const attemptsText = (attempts: number): string =>
  attempts === 1 ? '' : `, after ${attempts} attempts`

const expired = 'Its signature may have expired, or be for another method: sign it anew.'
const kept = 'The bucket keeps what is there already: remove it, or name another object.'
const remedyByStatus: ReadonlyMap<number | undefined, string> = new Map([
  [401, expired],
  [403, expired],
  [409, kept],
  [412, kept],
])

const remedyOf = ({ status }: Failure): string =>
  remedyByStatus.get(status) ?? 'Look whether the bucket is there, and run it again.'

/** Throws a problem with exit code 3 where it cannot be put. */
export async function putFile(
  url: string,
  path: string,
  options: TransferOptions = {},
): Promise<void> {
  const attempted = `uploading ${path} to ${shownUrl(url)}`
  let body: Blob
  try {
    body = await openAsBlob(path)
  } catch (error) {
    if (errorCode(error) === '') throw error
    throw new Problem(`${fileProblem(attempted, error)}.`, exitCode.unreachable)
  }
  const put = await withAttempts({
    ...options,
    url,
    request: { method: 'PUT', body },
    read: (answer) => answer.arrayBuffer(),
  })
  if ('value' in put) return
  const { failure, attempts } = put
  throw problem(
    attempted,
    `${failure.because}${attemptsText(attempts)}`,
    `${remedyOf(failure)} The file is still where it was.`,
    exitCode.unreachable,
  )
}

/** Undefined where there is nothing at the URL. Throws a problem with exit code 3 where that is not known. */
export async function getTextIfThere(
  url: string,
  options: TransferOptions = {},
): Promise<string | undefined> {
  const got = await withAttempts({
    ...options,
    url,
    request: {},
    read: (answer) => answer.text(),
  })
  if ('value' in got) return got.value
  const { failure, attempts } = got
  if (failure.status === 404) return undefined
  throw problem(
    `reading ${shownUrl(url)}`,
    `${failure.because}${attemptsText(attempts)}`,
    remedyOf(failure),
    exitCode.unreachable,
  )
}
