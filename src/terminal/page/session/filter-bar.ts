/** The filters of a report: by order, role, operation, failure and words. */
import { fullRoleName } from '../../../core/protocol/role.ts'
import { htmlText } from '../html-text.ts'
import { shortened } from './exchange-text.ts'
import type { PreparedReport } from './prepare-report.ts'

/** Orders that can be chosen at most; words find any. */
const maxOrderChoices = 300

const option = (value: string, text: string): string =>
  `<option value="${htmlText(value)}">${htmlText(text)}</option>`

export function filterBar(reports: readonly PreparedReport[]): string {
  const exchanges = reports.flatMap(({ rows }) => rows.map(({ exchange }) => exchange))
  const roles = [...new Set(exchanges.flatMap(({ from, to }) => [from.role, to.role]))]
  const operations = [...new Set(exchanges.flatMap(({ operation }) => operation ?? []))].toSorted()
  const orders = reports.flatMap(({ orders: own }) => own).slice(0, maxOrderChoices)
  const select = (name: string, all: string, options: readonly string[]): string =>
    options.length < 2
      ? ''
      : `<select data-filter="${name}" aria-label="${name}"><option value="">${all}</option>${options.join('')}</select>`
  return [
    '<div class="filters" role="search">',
    '<input type="search" id="search" placeholder="words ( / )" aria-label="words">',
    select(
      'order',
      'all orders',
      orders.map(({ key, name }) => option(key, shortened(name, 60))),
    ),
    select(
      'role',
      'all roles',
      roles.map((role) => option(role, fullRoleName[role])),
    ),
    select(
      'operation',
      'all operations',
      operations.map((each) => option(each, each)),
    ),
    '<label><input type="checkbox" data-only="failed"> failed only</label>',
    '<span id="count" role="status"></span></div>',
  ].join('')
}
