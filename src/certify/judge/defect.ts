/**
 * A defect: a mistake of a service, as a change of its messages on the wire. It proves a check, which passes on our own
 * counterpart and must fail on the same counterpart with the defect.
 */
import type { OperationId } from '../../core/protocol/catalogue.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import type { FetchHandler } from '../../core/session-api/session.ts'
import { recogniseOperation } from '../../core/traffic/recognise-operation.ts'

/** Passes a message on: to the service that answers it, or to the one that is called. */
type Forward = FetchHandler

export interface Defect {
  /** What the service does wrong: "answers 200 in place of 202". */
  readonly about: string
  /** How it answers a request. */
  readonly answer?: (request: Request, forward: Forward) => Promise<Response>
  /** How it makes a call. */
  readonly call?: (request: Request, forward: Forward) => Promise<Response>
  /** Both for a defect that remembers: called at the beginning of each certification. */
  readonly start?: () => Pick<Defect, 'answer' | 'call'>
}

/** A message while it is changed. */
export interface MessageDraft {
  /** JSON of the body; undefined when it has none. A text stays a text. */
  body: unknown
  readonly headers: Headers
}
export interface ReplyDraft extends MessageDraft {
  status: number
  /** The body as it is sent, in place of JSON. */
  text?: string
}
export interface RequestDraft extends MessageDraft {
  url: string
  method: string
  text?: string
}

const operationOf = ({ method, url }: Request): OperationId | undefined =>
  recogniseOperation(method, url)?.row.id

/** Which requests a defect is about: of these operations, or those that a test finds. */
type Choice =
  | OperationId
  | readonly OperationId[]
  | 'all'
  | ((request: Request) => boolean | Promise<boolean>)

async function isChosen(choice: Choice, request: Request): Promise<boolean> {
  if (choice === 'all') return true
  if (typeof choice === 'function') return choice(request.clone())
  const operation = operationOf(request)
  const chosen: readonly OperationId[] = typeof choice === 'string' ? [choice] : choice
  return operation !== undefined && chosen.includes(operation)
}

function parseBody(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const bodyText = ({ body, text }: ReplyDraft | RequestDraft): string | undefined =>
  text ?? (body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))

/** Statuses whose replies have no body. */
const bodyless: ReadonlySet<number> = new Set([204, 304])

async function changeReply(
  response: Response,
  change: (draft: ReplyDraft, request: Request) => void,
  request: Request,
): Promise<Response> {
  const draft: ReplyDraft = {
    status: response.status,
    headers: new Headers(response.headers),
    body: parseBody(await response.text()),
  }
  change(draft, request)
  draft.headers.delete('content-length')
  return new Response(bodyless.has(draft.status) ? null : (bodyText(draft) ?? null), {
    status: draft.status,
    headers: draft.headers,
  })
}

async function changeRequest(
  request: Request,
  change: (draft: RequestDraft) => void,
): Promise<Request> {
  const draft: RequestDraft = {
    url: request.url,
    method: request.method,
    headers: new Headers(request.headers),
    body: parseBody(await request.clone().text()),
  }
  change(draft)
  draft.headers.delete('content-length')
  return new Request(draft.url, {
    method: draft.method,
    headers: draft.headers,
    body: draft.method === 'GET' ? null : (bodyText(draft) ?? null),
    signal: request.signal,
  })
}

/** The service's replies to these requests are changed. */
export const wrongReply = (
  about: string,
  choice: Choice,
  change: (draft: ReplyDraft, request: Request) => void,
): Defect => ({
  about,
  answer: async (request, forward) => {
    const copy = request.clone()
    const response = await forward(request)
    return (await isChosen(choice, copy)) ? changeReply(response, change, copy) : response
  },
})

/** The service answers these requests with a status in place of another one. */
export const replacedStatus = (about: string, choice: Choice, from: number, to: number): Defect =>
  wrongReply(about, choice, (reply) => {
    if (reply.status === from) reply.status = to
  })

/** The service answers these requests with a status of its own, and does not act on them. */
export const ignoredRequest = (about: string, choice: Choice, status = 202): Defect => ({
  about,
  answer: async (request, forward) =>
    (await isChosen(choice, request)) ? new Response(null, { status }) : forward(request),
})

/** The requests of the service are changed. */
export const wrongCall = (
  about: string,
  choice: Choice,
  change: (draft: RequestDraft) => void,
): Defect => ({
  about,
  call: async (request, forward) =>
    forward((await isChosen(choice, request)) ? await changeRequest(request, change) : request),
})

/** The service does not make these calls, and takes them as successful. */
export const missingCall = (about: string, choice: Choice, status = 202): Defect => ({
  about,
  call: async (request, forward) =>
    (await isChosen(choice, request)) ? new Response(null, { status }) : forward(request),
})

/** The service makes these calls twice. */
export const repeatedCall = (about: string, choice: Choice): Defect => ({
  about,
  call: async (request, forward) => {
    if (await isChosen(choice, request)) await forward(request.clone())
    return forward(request)
  },
})

/** After each of these calls the service makes another one. */
export const furtherCall = (
  about: string,
  choice: Choice,
  make: (request: Request) => Request,
): Defect => ({
  about,
  call: async (request, forward) => {
    const further = (await isChosen(choice, request)) ? make(request) : undefined
    const response = await forward(request)
    if (further) await forward(further)
    return response
  },
})

/** A defect that remembers what it has seen: made anew for each certification. */
export const remembering = (about: string, start: () => Omit<Defect, 'start'>): Defect => ({
  about,
  start,
})

/** Removes a member of an object; for drafts. */
export function removeMember(value: unknown, ...path: readonly string[]): void {
  const last = path.at(-1)
  const owner = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (isUnknownRecord(at) ? at[key] : undefined), value)
  if (isUnknownRecord(owner) && last !== undefined) Reflect.deleteProperty(owner, last)
}

/** Sets a member of an object; for drafts. */
export function setMember(value: unknown, path: readonly string[], member: unknown): void {
  const last = path.at(-1)
  const owner = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (isUnknownRecord(at) ? at[key] : undefined), value)
  if (isUnknownRecord(owner) && last !== undefined) Reflect.set(owner, last, member)
}
