/**
 * Completion in the form of a fault: names from the catalogues and from the session that fit what is typed, best first.
 */
import { effectTriggers } from '../../../core/faults/applicability.ts'
import { faultCatalogue } from '../../../core/faults/catalogue.ts'
import type { OptionNames } from '../../../core/faults/option-names.ts'
import { faultProfiles } from '../../../core/faults/profiles.ts'
import { eventTypes } from '../../../core/protocol/event-types.ts'
import {
  addField,
  type FaultForm,
  fieldText,
  formOptions,
  nameField,
  withFieldText,
} from './fault-form.ts'
import { focusedField } from './open-fault-form.ts'
import { fuzzyMatch } from './fuzzy.ts'
import type { Model } from './model.ts'

export interface Completion {
  readonly value: string
  /** What it is; the typed text may also be a part of it. */
  readonly hint: string
}

const bare = (value: string): Completion => ({ value, hint: '' })

const faultNames = (): readonly Completion[] => [
  ...faultCatalogue.map(({ name, summary }) => ({ value: name, hint: summary })),
  ...Object.entries(faultProfiles).map(([value, { summary }]) => ({
    value,
    hint: `profile: ${summary}`,
  })),
]

/** The names of each kind that are known, those of the session newest first. */
const namesOf: Readonly<Record<OptionNames, (model: Model) => readonly Completion[]>> = {
  event: () => eventTypes.map(bare),
  trigger: () => effectTriggers.map(bare),
  order: ({ snapshot }) =>
    (snapshot?.orders ?? []).map(({ orderId, slot, displayId, profile, status }) => ({
      value: slot ?? orderId,
      hint: `${displayId} ${profile} ${status} ${orderId.slice(0, 8)}`,
    })),
  merchant: ({ snapshot }) =>
    (snapshot?.menu?.merchants ?? []).map(({ externalCode, name }) => ({
      value: externalCode,
      hint: name,
    })),
}

function allCompletions(model: Model, form: FaultForm, field: string): readonly Completion[] {
  if (field === nameField) return faultNames()
  const option = formOptions(form).find(({ name }) => name === field)
  if (!option) return []
  const { names, words } = option
  return [...words.map(bare), ...(names === undefined ? [] : namesOf[names](model))]
}

/** Of several values joined by `|`, the one that is being typed. */
const lastValue = (text: string): string => text.slice(text.lastIndexOf('|') + 1).trim()

/** The completions of the row with the cursor that fit its text. */
export function completionsOf(model: Model, form: FaultForm): readonly Completion[] {
  const field = focusedField(model)
  if (field === addField) return []
  const typed = lastValue(fieldText(form, field))
  return allCompletions(model, form, field)
    .flatMap((completion, index) => {
      const { value, hint } = completion
      const own = fuzzyMatch(typed, value)
      // A value that is called so comes before those of which only the hint says it.
      const score = own ? own.score + 100 : fuzzyMatch(typed, `${value} ${hint}`)?.score
      if (score === undefined) return []
      return [{ completion, score: value === typed ? Infinity : score, index }]
    })
    .toSorted((one, other) =>
      one.score === other.score ? one.index - other.index : other.score - one.score,
    )
    .map(({ completion }) => completion)
}

/** Index of the completion that enter takes; undefined when the text stays as it is. */
export function takenCompletion(model: Model, form: FaultForm): number | undefined {
  const found = completionsOf(model, form)
  if (form.completion !== undefined && found[form.completion]) return form.completion
  const typed = lastValue(fieldText(form, focusedField(model)))
  return typed === '' || found[0] === undefined || found[0].value === typed ? undefined : 0
}

/** The form with a completion in place of what was typed. */
export function withCompletion(model: Model, form: FaultForm, index: number): FaultForm {
  const field = focusedField(model)
  const chosen = completionsOf(model, form)[index]
  if (!chosen) return form
  const text = fieldText(form, field)
  return withFieldText(form, field, text.slice(0, text.lastIndexOf('|') + 1) + chosen.value)
}

/** The form in which the next or the previous completion is chosen. */
export function withAdjacentCompletion(model: Model, form: FaultForm, by: 1 | -1): FaultForm {
  const { length } = completionsOf(model, form)
  if (length === 0) return form
  const from = form.completion ?? takenCompletion(model, form) ?? (by > 0 ? -1 : length)
  return { ...form, completion: (from + by + length) % length }
}
