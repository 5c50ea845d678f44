/**
 * Text prompts: filter, fault, scenario name, palette, export file. Input beyond the maximum length is taken for a
 * mistaken paste and cut.
 */
import type { Model } from '../model/model.ts'
import type { Prompt } from '../model/prompts.ts'
import { searchText, withSearch } from '../model/search.ts'
import { faultPort } from '../../../core/faults/port.ts'
import { addField, fieldText, withFieldText } from '../model/fault-form.ts'
import { focusedField } from '../model/open-fault-form.ts'

const maxCharacters = 500

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const withoutLastGrapheme = (text: string): string =>
  text.slice(0, [...graphemes.segment(text)].at(-1)?.index ?? 0)

/** Prompts that take text. */
export const textPrompts = [
  'filter',
  'search',
  'fault',
  'fault-form',
  'save',
  'note',
  'palette',
  'export',
] as const satisfies readonly Prompt['kind'][]

export const isTextPrompt = (kind: Prompt['kind'] | undefined): boolean =>
  textPrompts.some((each) => each === kind)

export const withFilter = (model: Model, text: string): Model => ({
  ...model,
  filter: { ...model.filter, draft: text, problem: undefined },
})

type SearchPlace = Extract<Prompt, { readonly kind: 'search' }>['pane']

const searchedText = (model: Model, place: SearchPlace): string =>
  place === 'overlay' ? (model.overlay?.search ?? '') : searchText(model, place)

/** Sets the words that a list or an overlay is searched for. */
export function withSearchText(model: Model, place: SearchPlace, text: string): Model {
  if (place !== 'overlay') return withSearch(model, place, text)
  const { overlay } = model
  return overlay ? { ...model, overlay: { ...overlay, search: text, top: 0 } } : model
}

function withDraft(model: Model, change: (line: string) => string): Model {
  const { prompt, filter } = model
  switch (prompt?.kind) {
    case 'search':
      return withSearchText(model, prompt.pane, change(searchedText(model, prompt.pane)))
    case 'fault': {
      const draft = change(prompt.draft)
      return { ...model, prompt: { ...prompt, draft, problem: lineProblem(draft) } }
    }
    case 'fault-form': {
      const { form } = prompt
      const field = focusedField(model)
      if (field === addField) return model
      const text = change(fieldText(form, field))
      return { ...model, prompt: { ...prompt, form: withFieldText(form, field, text) } }
    }
    case 'save':
    case 'note':
    case 'export':
      return { ...model, prompt: { ...prompt, draft: change(prompt.draft) } }
    case 'palette': {
      const { overlay } = model
      // The best match gets the cursor.
      const first =
        overlay?.kind === 'palette' ? { ...overlay, chosen: undefined, top: 0 } : overlay
      return { ...model, overlay: first, prompt: { ...prompt, draft: change(prompt.draft) } }
    }
    default:
      return withFilter(model, change(filter.draft))
  }
}

export const withTypedText = (model: Model, text: string): Model =>
  withDraft(model, (line) => (line + text).slice(0, maxCharacters))

export const withErasedText = (model: Model, all: boolean): Model =>
  withDraft(model, (line) => (all ? '' : withoutLastGrapheme(line)))

/** Why a line is no fault; undefined when it is one, or empty. */
export function lineProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const checked = faultPort.check(text.trim())
  return checked.ok ? undefined : checked.error.message
}
