/**
 * The form of a fault in the model: the one that is open, its row with the cursor, and a new one with what is chosen.
 */
import { compact } from '../../../core/base/compact.ts'
import {
  type FaultForm,
  faultNamed,
  formOfSpec,
  nameField,
  withFieldText,
  wrongField,
} from './fault-form.ts'
import { chosenItem, type Model } from './model.ts'

/** The form that is open, whether it is edited in fields or as a line. */
export function openForm({ prompt }: Pick<Model, 'prompt'>): FaultForm | undefined {
  if (prompt?.kind === 'fault-form') return prompt.form
  if (prompt?.kind !== 'fault') return undefined
  const read = formOfSpec(prompt.draft, prompt.replaces)
  return read.ok ? read.value : undefined
}

/** The row of the form that has the cursor. */
export const focusedField = ({ overlay }: Pick<Model, 'overlay'>): string =>
  overlay?.kind === 'fault-form' ? (overlay.chosen?.replace(/^field /, '') ?? nameField) : nameField

/** The slot of an order, by which faults name it; its id where that is not known. */
const orderName = ({ snapshot }: Model, orderId: string): string =>
  [...(snapshot?.orders ?? []), ...(snapshot?.order ? [snapshot.order.row] : [])].find(
    (row) => row.orderId === orderId,
  )?.slot ?? orderId

/** What the chosen row of the focused pane says about a fault: its order, and the operation of an exchange. */
function chosenNames(model: Model): Readonly<Record<string, string>> {
  const { snapshot, recent, facts, traffic } = model
  switch (recent[0]) {
    case 'orders':
    case 'order':
      return model.orderId === undefined ? {} : { order: orderName(model, model.orderId) }
    case 'agenda': {
      const orderId = chosenItem(model)?.orderId
      return orderId === undefined ? {} : { order: orderName(model, orderId) }
    }
    case 'facts': {
      const orderId = snapshot?.journal.find(({ seq }) => seq === facts.chosen)?.orderId
      return orderId === undefined ? {} : { order: orderName(model, orderId) }
    }
    case 'traffic': {
      const row = snapshot?.traffic.find(({ seq }) => seq === traffic.chosen)
      return compact({
        operation: row?.operation,
        order: row?.orderId === undefined ? undefined : orderName(model, row.orderId),
      })
    }
    default:
      return {}
  }
}

/** A new fault, with what the chosen row says where it can act on that. */
export function newFaultForm(model: Model, name: string): FaultForm {
  const empty: FaultForm = { name, values: {} }
  if (!faultNamed(name)) return empty
  return Object.entries(chosenNames(model)).reduce((form, [option, text]) => {
    const filled = withFieldText(form, option, text)
    return wrongField(filled) === undefined ? filled : form
  }, empty)
}
