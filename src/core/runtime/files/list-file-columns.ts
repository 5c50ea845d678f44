/** Columns of the tables in which merchants and menus are written. */
import type { TableColumn } from './table-text.ts'

const plain = (name: string, ...others: string[]): TableColumn => ({
  names: [name, ...others],
  path: [name],
})

const required = (name: string, ...others: string[]): TableColumn => ({
  ...plain(name, ...others),
  required: true,
})

const ofAddress = (name: string): TableColumn => ({ names: [name], path: ['address', name] })

export const menuColumns: readonly TableColumn[] = [
  required('externalCode', 'plu', 'sku', 'code'),
  required('name'),
  required('price'),
  plain('category'),
  plain('description'),
  plain('unit'),
  plain('currency'),
  plain('originalPrice'),
  plain('options', 'modifiers'),
  plain('merchant'),
]

export const merchantColumns: readonly TableColumn[] = [
  required('id'),
  required('name'),
  plain('externalCode', 'code'),
  plain('status'),
  plain('menu'),
  ofAddress('street'),
  ofAddress('number'),
  ofAddress('complement'),
  ofAddress('neighborhood'),
  ofAddress('city'),
  ofAddress('state'),
  ofAddress('postalCode'),
  ofAddress('latitude'),
  ofAddress('longitude'),
]
