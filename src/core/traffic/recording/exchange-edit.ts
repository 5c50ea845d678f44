/** An edit of a recorded exchange: a part of the message that we play is another one in the replay. */
import { isRenewedHeader } from '../replayable-headers.ts'

/** The part of a message that is edited. */
export type EditedPart =
  /** The places of a JSON body that a JSONPath (RFC 9535) selects. */
  | { readonly kind: 'json'; readonly at: string }
  /** The whole body, as text. */
  | { readonly kind: 'body' }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'query'; readonly name: string }
  | { readonly kind: 'method' }
  /** Path and query. */
  | { readonly kind: 'path' }
  | { readonly kind: 'status' }

export interface ExchangeEdit {
  /** The number of the exchange in the recording. */
  readonly seq: number
  readonly part: EditedPart
  /** The new value: JSON for a place in a JSON body, otherwise text. Absent: the part is deleted. */
  readonly value?: string
}

/** An edit that was made, with what was there before. */
export interface AppliedEdit extends Omit<ExchangeEdit, 'seq'> {
  /** As `value`; absent when there was nothing. */
  readonly was?: string
}

/** The part as `--set` names it. */
export const editedPartText = (part: EditedPart): string =>
  part.kind === 'json' ? part.at : 'name' in part ? `${part.kind}.${part.name}` : part.kind

/** The edit as `--set` takes it. */
export const editText = ({ seq, part, value }: ExchangeEdit): string =>
  value === undefined
    ? `#${seq} delete ${editedPartText(part)}`
    : `#${seq} ${editedPartText(part)}=${value}`

const maxValueChars = 80

const shortened = (text: string): string =>
  text.length > maxValueChars ? `${text.slice(0, maxValueChars)} …` : text

/** `$.reason "late", now "x"`. Credentials are not repeated. */
export function appliedEditText({ part, value, was }: AppliedEdit): string {
  const name = editedPartText(part)
  const isSecret = part.kind === 'header' && isRenewedHeader(part.name)
  const text = (of: string): string => (isSecret ? 'another value' : shortened(of))
  if (value === undefined) return `${name} deleted`
  if (was === undefined) return `${name} added: ${text(value)}`
  return isSecret ? `${name} ${text(value)}` : `${name} ${text(was)}, now ${text(value)}`
}
