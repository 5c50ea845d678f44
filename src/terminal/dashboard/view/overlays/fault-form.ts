/**
 * The form of a fault: a row for each option with what it takes, its default and what it is for; below it, the completions
 * of the row with the cursor. Texts wrap, so that none is cut.
 */
import { completionsOf, takenCompletion } from '../../model/fault-completion.ts'
import {
  addField,
  type FaultForm,
  faultNamed,
  fieldProblem,
  fieldText,
  formFields,
  formOptions,
  isProfileName,
  nameField,
} from '../../model/fault-form.ts'
import { focusedField, openForm } from '../../model/open-fault-form.ts'
import { type Model } from '../../model/model.ts'
import { faultProfiles } from '../../../../core/faults/profiles.ts'
import { cellWidth, padToCells, wordWrap, wrapToCells } from '../text/cells.ts'
import { emptyRow, type Row, row, type Span, span, type Tone, widthOf } from '../text/row.ts'
import { listLine, type ListInput, type ListLine } from './listing.ts'

export const faultFormTitle = (model: Model): string => {
  const id = openForm(model)?.replaces
  return id === undefined ? 'Add a fault' : `Change fault ${id}`
}

const nameWidth = 10
/** Longer lists are left to the completions. */
const maxShownWords = 8

/** Cells of the values, by the width of the screen. */
const valueWidth = (width: number): number => (width < 60 ? 10 : width < 100 ? 22 : 34)

interface FieldText {
  readonly text: string
  readonly tone: Tone
}

/** What a row says beside its value: what is wrong with it, else what it is. */
function explanationOf(form: FaultForm, field: string): FieldText {
  const problem = fieldProblem(form, field)
  if (problem !== undefined) return { text: problem, tone: 'err' }
  if (field === nameField) {
    const profile = isProfileName(form.name) ? faultProfiles[form.name.trim()] : undefined
    const summary = faultNamed(form.name)?.summary ?? profile?.summary
    return { text: summary ?? 'type a part of its name or of what it does', tone: 'plain' }
  }
  if (field === addField) return { text: 'enter here, or ctrl-s from any row', tone: 'muted' }
  const option = formOptions(form).find(({ name }) => name === field)
  if (!option) return { text: '', tone: 'plain' }
  const { accepts, isMany, description, names, words, default: usual } = option
  // What names it takes is in its description, and the completions show them.
  const isPlain = names === undefined && words.length <= maxShownWords
  const parts = [
    ...(isPlain ? [accepts] : []),
    ...(isMany ? ['several joined by |'] : []),
    ...(usual === undefined ? [] : [`default ${usual}`]),
  ]
  const more = parts.length === 0 ? '' : ` (${parts.join('; ')})`
  return { text: `${description}${more}`, tone: 'muted' }
}

const fieldName = (form: FaultForm, field: string): string =>
  field === nameField
    ? 'fault'
    : field === addField
      ? form.replaces === undefined
        ? 'add it'
        : 'change it'
      : field

function fieldLines(form: FaultForm, field: string, input: ListInput): readonly ListLine[] {
  const { model, width } = input
  const isTyped = model.prompt?.kind === 'fault-form' && focusedField(model) === field
  const typed = isTyped && field !== addField ? '_' : ''
  const own = valueWidth(width)
  const values = wrapToCells(`${fieldText(form, field)}${typed}`, own)
  const { text, tone } = explanationOf(form, field)
  const texts = wordWrap(text, Math.max(10, width - nameWidth - own - 4))
  const name = fieldName(form, field)
  return Array.from({ length: Math.max(values.length, texts.length) }, (_, index): ListLine => {
    const spans = [
      span(padToCells(index === 0 ? name : '', nameWidth), 'accent'),
      span(' '),
      span(padToCells(values[index] ?? '', own), 'strong'),
      span('  '),
      span(texts[index] ?? '', tone),
    ]
    return index === 0
      ? listLine({ spans }, { kind: 'field', name: field })
      : listLine({ spans: [span(' '), ...spans] })
  })
}

export function faultFormLines(input: ListInput): readonly ListLine[] {
  const form = openForm(input.model)
  if (!form)
    return [listLine(row(span(' The form shows the line as soon as it is a fault.', 'muted')))]
  return formFields(form).flatMap((field) => fieldLines(form, field, input))
}

/** What is offered to the row with the cursor, with the one that enter takes marked: as many as fit whole. */
export function completionRows(model: Model, height: number): readonly Row[] {
  const { prompt } = model
  const { width } = model.layout.body
  const rows: Span[][] = []
  if (prompt?.kind === 'fault-form') {
    const found = completionsOf(model, prompt.form)
    const taken = takenCompletion(model, prompt.form)
    const first = Math.max(0, (prompt.form.completion ?? 0) - 2)
    const title =
      found.length === 0 ? '' : ` ${found.length} to choose from, right and left choose:`
    rows.push([span(title, 'muted')])
    rows.push([])
    for (const [index, { value, hint }] of found.entries()) {
      if (index < first) continue
      const spans = [
        span(index === taken ? ' >' : '  ', 'accent'),
        span(value, index === taken ? 'strong' : 'plain'),
      ]
      const explained = [...spans, span(` ${hint}`, 'muted')]
      if (hint !== '' && widthOf(explained) <= width) spans.push(span(` ${hint}`, 'muted'))
      const current = rows.at(-1) ?? []
      if (current.length === 0 || widthOf([...current, ...spans]) <= width) current.push(...spans)
      else if (rows.length < height) rows.push(spans)
      else break
    }
  }
  return Array.from({ length: height }, (_, index): Row => {
    const spans = rows[index]
    return spans && spans.some(({ text }) => cellWidth(text) > 0) ? { spans } : emptyRow
  })
}
