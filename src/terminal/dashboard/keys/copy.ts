/** `y`: a small menu of what can be copied here, and the letters that answer it. */
import { bindingsOf, overlayContexts, paneContexts } from './binding.ts'
import { answered, mutedNotice, outcomeOf } from '../model/key-outcomes.ts'
import { chosenItem, focusOf, type Model } from '../model/model.ts'
import { chosenDetail } from '../model/present.ts'
import { chosenExchangeSeq, detailTargetOf } from '../model/open-target.ts'
import { activePlace, playbackOf } from '../model/recording.ts'
import {
  isListOverlay,
  listTitle,
  openListLines,
  openListTarget,
} from '../view/overlays/catalogue.ts'
import { plainText } from '../view/text/row.ts'
import type { CopyChoice, CopySource } from '../model/prompts.ts'

const textChoice = (key: string, name: string, text: string | undefined): readonly CopyChoice[] =>
  text === undefined || text === '' ? [] : [{ key, name, source: { kind: 'text', text } }]

const exchangeParts = [
  ['u', 'URL', 'url'],
  ['b', 'body', 'request'],
  ['r', 'reply', 'reply'],
  ['c', 'curl', 'curl'],
] as const

const exchangeChoices = (
  of: Extract<CopySource, { kind: 'exchange' }>['of'],
): readonly CopyChoice[] =>
  exchangeParts.map(([key, name, part]) => ({ key, name, source: { kind: 'exchange', of, part } }))

/** The row that is open, else the one that is chosen in the focused pane. */
function rowChoices(model: Model): readonly CopyChoice[] {
  const { overlay, orderId } = model
  const orderChoice = textChoice('i', 'order id', orderId)
  if (
    playbackOf(model) &&
    (overlay?.kind === 'beside' || (!overlay && focusOf(model) === 'traffic'))
  )
    return [...exchangeChoices({ place: activePlace(model) }), ...orderChoice]
  if (overlay && overlay.kind !== 'detail') return []
  const target = overlay?.kind === 'detail' ? overlay.of : detailTargetOf(model)
  switch (target?.kind) {
    case 'exchange': {
      const seq = chosenExchangeSeq(model)
      return [...(seq === undefined ? [] : exchangeChoices({ seq })), ...orderChoice]
    }
    case 'order':
    case 'entity': {
      const document = JSON.stringify(chosenDetail(model)?.document, null, 2)
      const id = target.kind === 'order' ? target.orderId : target.id
      return [...textChoice('i', 'id', id), ...textChoice('d', 'document', document)]
    }
    case 'item': {
      const { id } = chosenItem(model) ?? target.row
      return [{ key: 'b', name: 'body', source: { kind: 'item', id } }, ...orderChoice]
    }
    case 'fact':
      return [
        ...textChoice('f', 'fact', target.row.text),
        ...textChoice('i', 'order id', target.row.orderId),
      ]
    default:
      return []
  }
}

function faultChoice(model: Model): readonly CopyChoice[] {
  const target = openListTarget(model)
  return textChoice('f', 'fault', target?.kind === 'fault' ? target.fault.text : undefined)
}

/** The text of a list, such as a rule with its findings or the story of an order, or of a message. */
function shownText(model: Model): string | undefined {
  const { overlay } = model
  if (overlay?.kind === 'message') return overlay.lines.join('\n')
  if (!overlay || !isListOverlay(overlay)) return undefined
  const lines = openListLines(model).map(({ row }) => plainText(row).trimEnd())
  return [listTitle(overlay, model), ...lines].join('\n')
}

/** Everything that can be copied now. */
export function copyChoices(model: Model): readonly CopyChoice[] {
  const { notices, snapshot } = model
  return [
    ...rowChoices(model),
    ...faultChoice(model),
    ...textChoice('t', 'text', shownText(model)),
    ...textChoice('m', 'last message', notices.at(-1)?.text),
    ...textChoice('g', 'first call', playbackOf(model) ? undefined : snapshot?.info.connect?.curl),
  ]
}

export const copyKeys = bindingsOf(
  { group: 'look around', contexts: [...paneContexts, ...overlayContexts] },
  [
    {
      id: 'copy',
      keys: ['y'],
      title: 'copy: id, URL, body, curl, document …',
      footer: 'copy',
      footerIn: ['detail', 'verdict', 'story', 'beside', 'contact'],
      disabledReason: (model) =>
        copyChoices(model).length > 0 ? undefined : 'there is nothing here to copy',
      run: (model) =>
        outcomeOf({ kind: 'prompted', prompt: { kind: 'copy', choices: copyChoices(model) } }),
    },
    {
      id: 'copy.choice',
      keys: ['i', 'u', 'b', 'r', 'c', 'd', 'f', 't', 'm', 'g'],
      label: 'y i/u/b/r/c …',
      contexts: ['copy'],
      title: 'what to copy; the menu names the letters',
      run({ prompt }, { key }) {
        const chosen =
          prompt?.kind === 'copy' ? prompt.choices.find((each) => each.key === key) : undefined
        if (!chosen) return outcomeOf(mutedNotice(`${key}: not one of these; esc copies nothing`))
        const { name, source } = chosen
        return answered({ kind: 'copy', name, source })
      },
    },
  ],
)
