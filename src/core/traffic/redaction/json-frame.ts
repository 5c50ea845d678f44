/** The state of one open object or list of the JSON redactor. */
import type { KeyPlace, RedactionClass } from './class.ts'
import type { KeyMeaning } from './keys.ts'

export interface DeferredValue {
  readonly from: number
  readonly to: number
  readonly value: string
  readonly broken: boolean
  readonly path: string
  /** Written as a number, and stays one. */
  readonly isNumber?: true
}

export interface JsonFrame {
  readonly isList: boolean
  readonly parent?: JsonFrame
  /** Its name in a path. */
  readonly label: string
  /** The current key; in a list, the key of the list. */
  key: KeyMeaning
  keyLabel: string
  readonly place: KeyPlace | undefined
  readonly person: boolean | undefined
  /** The class of every string inside. */
  readonly forAll: RedactionClass | undefined
  /** A field of the object identifies a person. */
  personal: boolean
  type: string | undefined
  /** The key named by a field: `{ "name": "phone", "value": … }`. */
  named: KeyMeaning | undefined
  /** The class of the parent key: `{ "email": { "value": … } }`. */
  readonly inherited: RedactionClass | undefined
  names: DeferredValue[] | undefined
  value: DeferredValue | undefined
}
