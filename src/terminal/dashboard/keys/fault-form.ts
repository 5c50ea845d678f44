/** Keys of the form of a fault, and of the same fault as a line. */
import { compact } from '../../../core/base/compact.ts'
import {
  takenCompletion,
  withAdjacentCompletion,
  withCompletion,
} from '../model/fault-completion.ts'
import {
  addField,
  type FaultForm,
  formFields,
  formOfSpec,
  formSpec,
  nameField,
  wrongField,
  fieldProblem,
  faultNamed,
  isProfileName,
} from '../model/fault-form.ts'
import { focusedField } from '../model/open-fault-form.ts'
import { answered, answering, mutedNotice, outcomeOf } from '../model/key-outcomes.ts'
import type { KeyOutcome, Message } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { lineProblem } from '../update/prompt.ts'
import { bindingsOf } from './binding.ts'

const focusOn = (model: Model, field: string): Message => {
  const top = model.overlay?.kind === 'fault-form' ? model.overlay.top : 0
  return { kind: 'listed', overlay: { kind: 'fault-form', chosen: `field ${field}`, top } }
}

const withForm = (form: FaultForm): Message => ({
  kind: 'prompted',
  prompt: { kind: 'fault-form', form },
})

/** Opens the form at its first option; at its end where the fault has none. */
export function openFaultForm(form: FaultForm): KeyOutcome {
  const chosen = `field ${formFields(form)[1] ?? nameField}`
  return outcomeOf(
    { kind: 'listed', overlay: { kind: 'fault-form', chosen, top: 0 } },
    withForm(form),
  )
}

/** Opens the same as a line. */
export const openFaultLine = (draft: string, replaces?: number): KeyOutcome =>
  outcomeOf(
    { kind: 'listed', overlay: { kind: 'fault-form', chosen: undefined, top: 0 } },
    {
      kind: 'prompted',
      prompt: { kind: 'fault', draft, problem: lineProblem(draft), ...compact({ replaces }) },
    },
  )

const formOf = ({ prompt }: Model): FaultForm | undefined =>
  prompt?.kind === 'fault-form' ? prompt.form : undefined

/** Moves the cursor by one row, from the last to the first. */
function moveField(model: Model, by: 1 | -1): KeyOutcome {
  const form = formOf(model)
  if (!form) return {}
  const fields = formFields(form)
  const place = fields.indexOf(focusedField(model))
  const isEnd = by > 0 ? place === fields.length - 1 : place <= 0
  const { completion: _chosen, ...rest } = form
  return outcomeOf(withForm(rest), {
    kind: 'moved',
    motion: isEnd ? { kind: by > 0 ? 'first' : 'last' } : { kind: 'rows', by },
  })
}

/** Sends the fault; or goes to the row that is wrong, and says why. */
function addFault(model: Model): KeyOutcome {
  const form = formOf(model)
  if (!form) return {}
  const wrong = wrongField(form)
  if (wrong !== undefined) {
    const because = fieldProblem(form, wrong) ?? 'choose a fault first'
    return outcomeOf(focusOn(model, wrong), mutedNotice(because))
  }
  const { replaces } = form
  return answered({ kind: 'fault', spec: formSpec(form), ...compact({ replaces }) })
}

/** Takes the completion and goes to the next row; on the last row, adds the fault. */
function acceptField(model: Model): KeyOutcome {
  const form = formOf(model)
  if (!form) return {}
  if (focusedField(model) === addField) return addFault(model)
  const taken = takenCompletion(model, form)
  const next = taken === undefined ? form : withCompletion(model, form, taken)
  const isNamed = faultNamed(next.name) !== undefined || isProfileName(next.name)
  if (!isNamed) return outcomeOf(mutedNotice('no fault is called so'))
  const fields = formFields(next)
  const after = fields[fields.indexOf(focusedField(model)) + 1] ?? addField
  const { completion: _chosen, ...rest } = next
  return outcomeOf(withForm(rest), focusOn(model, after), {
    kind: 'moved',
    motion: { kind: 'rows', by: 0 },
  })
}

/** Shows the form as a line, or the line as a form; a line that is no fault stays. */
function switchNotation({ prompt }: Model): KeyOutcome {
  if (prompt?.kind === 'fault-form') {
    const draft = formSpec(prompt.form)
    return openFaultLine(draft, prompt.form.replaces)
  }
  if (prompt?.kind !== 'fault') return {}
  const read = formOfSpec(prompt.draft, prompt.replaces)
  return read.ok ? openFaultForm(read.value) : outcomeOf(mutedNotice(read.error))
}

export const faultFormKeys = bindingsOf({ group: 'chaos and verdicts', contexts: ['fault-form'] }, [
  {
    id: 'fault.field.next',
    keys: ['tab', 'down'],
    title: 'in the form of a fault: next option',
    footer: 'next',
    run: (model) => moveField(model, 1),
  },
  {
    id: 'fault.field.previous',
    keys: ['shift-tab', 'up'],
    title: 'in the form of a fault: previous option',
    run: (model) => moveField(model, -1),
  },
  {
    id: 'fault.field.accept',
    keys: ['enter'],
    title: 'in the form: take it; at the end: add',
    footer: 'take',
    run: acceptField,
  },
  {
    id: 'fault.field.completion',
    keys: ['right', 'ctrl-n', 'left', 'ctrl-p'],
    label: 'right left',
    title: 'in the form: next or previous completion',
    run(model, { key }) {
      const form = formOf(model)
      if (!form) return {}
      const by = key === 'right' || key === 'ctrl-n' ? 1 : -1
      return outcomeOf(withForm(withAdjacentCompletion(model, form, by)))
    },
  },
  {
    id: 'fault.field.end',
    keys: ['end', 'home'],
    label: 'end home',
    title: 'in the form: to its last or first row',
    run: (_, { key }) =>
      outcomeOf({ kind: 'moved', motion: { kind: key === 'end' ? 'last' : 'first' } }),
  },
  {
    id: 'fault.add',
    changes: true,
    // Many terminals send ctrl-j for enter with ctrl.
    keys: ['ctrl-s', 'ctrl-j'],
    title: 'in the form: add the fault as it is',
    footer: 'add',
    run: addFault,
  },
  {
    id: 'fault.notation',
    keys: ['ctrl-e'],
    contexts: ['fault-form', 'fault'],
    title: 'the form of a fault as a line, or back',
    footer: 'line/form',
    run: switchNotation,
  },
  {
    id: 'fault.accept',
    changes: true,
    keys: ['enter'],
    contexts: ['fault'],
    title: 'in the line of a fault: add it',
    footer: 'add',
    disabledReason({ prompt }) {
      if (prompt?.kind !== 'fault') return undefined
      return prompt.problem ?? (prompt.draft.trim() === '' ? 'type a fault first' : undefined)
    },
    run: answering('fault', ({ draft, replaces }) => ({
      kind: 'fault',
      spec: draft.trim(),
      ...compact({ replaces }),
    })),
  },
])
