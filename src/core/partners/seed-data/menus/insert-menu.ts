/**
 * Inserts a menu into its tables: its categories, offers, option groups and options, each with its own id. A
 * group that several offers share is one record, as in a merchant's catalogue.
 */
import type { Chance } from '../../../engine/chance.ts'
import type { MenuTables } from '../tables.ts'
import type { GroupDraft, Menu, OptionDraft } from './menu.ts'

type GroupRecord = Awaited<ReturnType<MenuTables['optionGroups']['create']>>
type OptionRecord = Awaited<ReturnType<MenuTables['options']['create']>>

export async function insertMenu(tables: MenuTables, menu: Menu, chance: Chance): Promise<void> {
  const inserted = new Map<GroupDraft, GroupRecord>()

  async function groupsOf(drafts: readonly GroupDraft[]): Promise<GroupRecord[]> {
    const records: GroupRecord[] = []
    for (const draft of drafts) records.push(inserted.get(draft) ?? (await insertGroup(draft)))
    return records
  }

  // Sequentially: the tables iterate in the order of creation, which must be deterministic.
  async function insertGroup(draft: GroupDraft): Promise<GroupRecord> {
    const options: OptionRecord[] = []
    for (const option of draft.options) options.push(await insertOption(option))
    const { name, min, max } = draft
    const record = await tables.optionGroups.create({
      id: chance.uuid(),
      name,
      min,
      max,
      options,
    })
    inserted.set(draft, record)
    return record
  }

  async function insertOption({ groups, ...draft }: OptionDraft): Promise<OptionRecord> {
    return tables.options.create({ id: chance.uuid(), ...draft, groups: await groupsOf(groups) })
  }

  for (const { offers, ...draft } of menu.categories) {
    const category = await tables.categories.create({ id: chance.uuid(), ...draft })
    for (const { code, unit, groups, ...offer } of offers)
      await tables.itemOffers.create({
        id: chance.uuid(),
        externalCode: code,
        unit: unit ?? 'UN',
        ...offer,
        category,
        groups: await groupsOf(groups ?? []),
      })
  }
}
