/**
 * First contact: what a user needs to connect a service. In full as an overlay, and as far as there is room in a pane that is
 * empty because the service has not been heard of.
 */
import {
  type ContactRow,
  contactStatus,
  firstContact,
} from '../../../core/session-api/first-contact.ts'
import type { SessionInfo } from '../../../core/session-api/session-api.ts'
import type { Model } from '../model/model.ts'
import { wordWrap } from './text/cells.ts'
import { emptyRow, type Row, row, span, type Tone } from './text/row.ts'
import { type ListInput, listLine, type ListLine } from './overlays/listing.ts'

/** Whether the user's service plays a role and has not been heard of yet. */
export function isContactAwaited({ snapshot }: Pick<Model, 'snapshot'>): boolean {
  if (!snapshot || snapshot.playback) return false
  const { connect, contact } = snapshot.info
  return connect !== undefined && !connect.unassigned && contact?.connected === undefined
}

/** Why there is nothing to say about connecting; undefined where there is. */
export function notConnectableReason({ snapshot }: Pick<Model, 'snapshot'>): string | undefined {
  if (!snapshot) return 'the session has not been seen yet'
  return snapshot.playback || !snapshot.info.connect
    ? 'no service can connect to this session'
    : undefined
}

const labelWidth = 15

/** Label and value; a long value goes on below itself. */
export const contactRowLines = ({ label, value }: ContactRow, width: number): readonly Row[] =>
  wordWrap(value, Math.max(10, width - labelWidth - 2)).map((line, index) =>
    row(span(` ${(index === 0 ? label : '').padEnd(labelWidth)}`, 'muted'), span(line)),
  )

/** The sentence about the state of the contact, and warnings about the service, wrapped. */
export function contactStatusRows(info: SessionInfo, width: number): readonly Row[] {
  const tone: Tone = info.contact?.unreachable === undefined ? 'strong' : 'err'
  const sentence = contactStatus(info) ?? 'No service of yours takes part; this one could:'
  const wrapped = (text: string, as: Tone): readonly Row[] =>
    wordWrap(text, Math.max(1, width - 2)).map((line) => row(span(` ${line}`, as)))
  const notices = info.contact?.notices ?? []
  return [...wrapped(sentence, tone), ...notices.flatMap((notice) => wrapped(notice, 'warn'))]
}

/** As many rows as fit into a pane of this size, the last of which names the key for the rest. */
export function contactPanelRows(info: SessionInfo, width: number, height: number): readonly Row[] {
  const rows = [...contactStatusRows(info, width)]
  let isWhole = true
  for (const each of firstContact(info)) {
    const lines = contactRowLines(each, width)
    if (rows.length + lines.length > height - 1) isWhole = false
    else rows.push(...lines)
  }
  const more = isWhole
    ? 'c shows this again.'
    : 'c shows all of it, with a call that works unchanged.'
  return [...rows, row(span(` ${more}`, 'muted'))].slice(0, height)
}

export function contactLines({ model, width }: ListInput): readonly ListLine[] {
  const { info } = model.snapshot ?? {}
  if (!info) return []
  return [
    ...contactStatusRows(info, width).map((each) => listLine(each)),
    listLine(emptyRow),
    ...firstContact(info).flatMap((each): readonly ListLine[] => {
      const [first = emptyRow, ...rest] = contactRowLines(each, width - 1)
      return [
        listLine(first, { kind: 'value', ...each }),
        // The first line begins with the cursor; the others are indented like it.
        ...rest.map(({ spans }) => listLine({ spans: [span(' '), ...spans] })),
      ]
    }),
  ]
}
