/** Composes the replies of a host: results with the operation's status, refusals in the session's error format. */
import { compact } from '../../base/compact.ts'
import type { CatalogueRow } from '../../protocol/catalogue.ts'
import {
  errorMediaType,
  errorShapeOf,
  formatErrorBody,
  protocolErrors,
} from '../../protocol/errors.ts'
import type { Role } from '../../protocol/role.ts'
import { bodyTranslator } from '../../protocol/translation/translator.ts'
import type { HandlerAnswer } from '../../engine/handler.ts'
import type { Refusal } from '../../engine/refusal.ts'
import type { Settings } from '../../engine/settings.ts'
import type { OutgoingReply } from './messages.ts'

export interface HostReplies {
  readonly success: (row: CatalogueRow, answer: HandlerAnswer) => OutgoingReply
  readonly refusal: (refusal: Refusal, headers?: Readonly<Record<string, string>>) => OutgoingReply
}

/** CORS headers of discovery documents, which browsers may read. */
export const discoveryCors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, OPTIONS',
  'access-control-allow-headers': 'Accept, Content-Type, X-Request-Id',
} as const

const json = { 'content-type': 'application/json; charset=utf-8' } as const
const noHeaders = {} as const

export function createHostReplies(conduct: Settings['conduct'], role: Role): HostReplies {
  const translator = bodyTranslator(conduct)

  function refusal({ code, message, status, more, unmet }: Refusal, headers = {}): OutgoingReply {
    // Settings change while a session runs.
    const shape = errorShapeOf(conduct, role)
    const row = protocolErrors[code]
    const httpStatus = status ?? row.status
    const body = formatErrorBody(shape, {
      code: conduct.errorCodes[code] ?? code,
      message,
      retryable: row.retryable,
      status: httpStatus,
      ...compact({ more, details: unmet?.map(({ problem }) => problem) }),
    })
    return {
      status: httpStatus,
      headers: { 'content-type': errorMediaType(shape), ...headers },
      body: JSON.stringify(body),
      refusal: { code, message, ...compact({ unmet }) },
    }
  }

  /** The text of a body as the dialect has it. */
  const inDialect = (id: CatalogueRow['id'], text: string): string =>
    translator?.translates(id, 'reply')
      ? JSON.stringify(translator.toWire(id, 'reply', JSON.parse(text)))
      : text

  function success(row: CatalogueRow, answer: HandlerAnswer): OutgoingReply {
    const status = answer.status ?? conduct.statuses[row.id] ?? row.success
    const own = answer.text ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body))
    const text = own === undefined ? own : inDialect(row.id, own)
    const body = status === 204 ? undefined : text
    const open = row.capability === 'discovery' ? discoveryCors : noHeaders
    const typed = body === undefined ? noHeaders : json
    // Most replies have only a Content-Type: those share one object.
    const headers =
      open === noHeaders && !answer.headers ? typed : { ...typed, ...open, ...answer.headers }
    const outgoing = body === undefined ? { status, headers } : { status, headers, body }
    return answer.about ? { ...outgoing, about: answer.about } : outgoing
  }

  return { success, refusal }
}
