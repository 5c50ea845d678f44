/** How to connect the user's service: its state, and every value to be copied. */
import { firstContact } from '../../../session-api/first-contact.ts'
import { contactRowLines, contactStatusRows } from '../contact.ts'
import { emptyRow, span } from '../text/row.ts'
import { listLine, type ListInput, type ListLine } from './listing.ts'

export function contactLines({ model, width }: ListInput): readonly ListLine[] {
  const { info } = model.seen ?? {}
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
