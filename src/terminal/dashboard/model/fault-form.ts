/**
 * The form of a fault: its name and options as they are typed. What it asks for comes from the definitions of the faults;
 * the one-line notation is made from it, and read back into it.
 */
import { faultCatalogue } from '../../../core/faults/catalogue.ts'
import type { FaultDefinition } from '../../../core/faults/fault.ts'
import { type FaultOption, faultOptionProblem, faultOptions } from '../../../core/faults/option.ts'
import { faultPort } from '../../../core/faults/port.ts'
import { faultProfiles } from '../../../core/faults/profiles.ts'
import { faultText, parseFaultText } from '../../../core/faults/spec-text.ts'
import { compact } from '../../../core/base/compact.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'

export interface FaultForm {
  /** Name of the fault or profile, as typed. */
  readonly name: string
  /** Values by option, as typed; those that the fault does not have are kept for another one. */
  readonly values: Readonly<Record<string, string>>
  /** Index of the completion that was chosen by the arrows. */
  readonly completion?: number
  /** Id of the fault that is being changed. */
  readonly replaces?: number
}

/** Rows of the form that are no options. Names of options have no colon. */
export const nameField = ':name'
export const addField = ':add'

export const faultNamed = (name: string): FaultDefinition | undefined =>
  faultCatalogue.find((each) => each.name === name.trim())

export const isProfileName = (name: string): boolean => Object.hasOwn(faultProfiles, name.trim())

export function formOptions({ name }: Pick<FaultForm, 'name'>): readonly FaultOption[] {
  const definition = faultNamed(name)
  return definition ? faultOptions(definition) : []
}

/** The rows of the form, from top to bottom. */
export const formFields = (form: FaultForm): readonly string[] => [
  nameField,
  ...formOptions(form).map(({ name }) => name),
  ...(faultNamed(form.name) || isProfileName(form.name) ? [addField] : []),
]

export const fieldText = ({ name, values }: FaultForm, field: string): string =>
  field === nameField ? name : (values[field] ?? '')

export function withFieldText(form: FaultForm, field: string, text: string): FaultForm {
  const { completion: _chosen, ...rest } = form
  if (field === nameField) return { ...rest, name: text }
  return { ...rest, values: { ...rest.values, [field]: text } }
}

/** The fault in one line: `drop:event=CONFIRMED,nth=1`. */
export const formSpec = (form: FaultForm): string =>
  faultText(
    form.name.trim(),
    Object.fromEntries(
      formOptions(form)
        .map(({ name }) => [name, (form.values[name] ?? '').trim()] as const)
        .filter(([, text]) => text !== ''),
    ),
  )

/** Reads a line into a form; the error says why it is none. */
export function formOfSpec(text: string, replaces?: number): Result<FaultForm, string> {
  const parsed = parseFaultText(text)
  if (!parsed.ok) return err(parsed.error.message)
  const { name, words } = parsed.value
  const values = Object.fromEntries(
    Object.entries(words).map(([option, each]) => [option, each.join('|')]),
  )
  const names = formOptions({ name }).map((option) => option.name)
  const unknown = Object.keys(values).some((option) => !names.includes(option))
  if ((name !== '' && !faultNamed(name) && !isProfileName(name)) || unknown) {
    const checked = faultPort.check(text.trim())
    return err(checked.ok ? 'it has options that the form does not' : checked.error.message)
  }
  return ok({ name, values, ...compact({ replaces }) })
}

/** What is wrong with a row; undefined when nothing is. */
export function fieldProblem(form: FaultForm, field: string): string | undefined {
  const definition = faultNamed(form.name)
  const text = fieldText(form, field).trim()
  if (field === nameField) {
    if (definition || isProfileName(text) || text === '') return undefined
    return `there is no fault "${text}"`
  }
  if (!definition) return undefined
  if (field === addField) {
    const isEachRight = formOptions(form).every(
      ({ name }) => fieldProblem(form, name) === undefined,
    )
    const checked = isEachRight ? faultPort.check(formSpec(form)) : undefined
    return checked?.ok === false ? checked.error.message : undefined
  }
  const option = formOptions(form).find(({ name }) => name === field)
  return option && text !== '' ? faultOptionProblem(definition, option, text) : undefined
}

/** The first row with something wrong; undefined when the fault can be added. */
export const wrongField = (form: FaultForm): string | undefined =>
  form.name.trim() === ''
    ? nameField
    : formFields(form).find((field) => fieldProblem(form, field) !== undefined)
