/**
 * Reads the text of a menu, in which what belongs to a line is indented below it:
 *
 *     @bread [1-1] Pão               a group of options that items refer to, with how many to choose
 *       - Francês                    a choice, which may cost extra
 *       - Integral 2.00
 *         [0-1] Torrar               options may have groups
 *       + Queijo 4.50 x2             a paid extra, with how many at most
 *       * Manteiga x2                included for free, with how many
 *     main: Lanches                  a category with its course, and its items
 *       LA-1 Misto 12.90 was 14.90 @bread
 *         "Presunto e queijo"
 */
import { compact } from '../../../base/compact.ts'
import type { GroupDraft, Menu, MenuCourse, OfferDraft, OptionDraft } from './menu.ts'

interface Line {
  readonly text: string
  readonly below: readonly Line[]
}

/** The lines at the least indentation, each with those below it. */
function treeOf(lines: readonly string[]): readonly Line[] {
  const depth = (line = ''): number => line.search(/\S/)
  const starts = lines.flatMap((line, index) => (depth(line) === depth(lines[0]) ? [index] : []))
  return starts.map((start, index) => ({
    text: lines[start]?.trim() ?? '',
    below: treeOf(lines.slice(start + 1, starts[index + 1])),
  }))
}

const cents = (price: string | undefined): number => Number(price?.replace('.', '') ?? 0)

/** The parts of a line of this form. */
function partsOf(form: RegExp, { text }: Line): readonly (string | undefined)[] {
  const parts = form.exec(text)
  if (!parts) throw new Error(`the menu has a line that cannot be read: ${text}`)
  return parts.slice(1)
}

function categoriesOf(text: string): Menu['categories'] {
  const shared = new Map<string, GroupDraft>()

  const sharedGroup = (name: string): GroupDraft => {
    const found = shared.get(name)
    if (!found) throw new Error(`the menu has no group ${name}`)
    return found
  }

  /** The groups that a line names at its end, and those below it. */
  const groupsOf = (names = '', below: readonly Line[] = []): readonly GroupDraft[] => [
    ...[...names.matchAll(/@(\w+)/g)].map(([, name = '']) => sharedGroup(name)),
    ...below.map((line) =>
      line.text.startsWith('@') ? sharedGroup(line.text.slice(1)) : group(line),
    ),
  ]

  function option(line: Line): OptionDraft {
    const form = /^([-+*]) (.+?)(?: (\d+\.\d\d))?(?: x(\d+))?((?: @\w+)*)$/
    const [sign, name = '', price, most = '1', names] = partsOf(form, line)
    const max = Number(most)
    const byDefault = { '-': {}, '+': { defaultQuantity: 0 }, '*': { defaultQuantity: max } }
    return {
      name,
      cents: cents(price),
      ...byDefault[sign as keyof typeof byDefault],
      max,
      groups: groupsOf(names, line.below),
    }
  }

  function group(line: Line): GroupDraft {
    const [id, min, max, name = ''] = partsOf(/^(?:@(\w+) )?\[(\d)-(\d)\] (.+)$/, line)
    const draft = { name, min: Number(min), max: Number(max), options: line.below.map(option) }
    if (id !== undefined) shared.set(id, draft)
    return draft
  }

  function offer(line: Line): OfferDraft {
    const form = /^(\S+) (.+?) (\d+\.\d\d)(\/kg)?(?: was (\d+\.\d\d))?((?: @\w+)*)$/
    const [code = '', name = '', price, byWeight, former, names] = partsOf(form, line)
    const isQuoted = (each: Line): boolean => each.text.startsWith('"')
    const groups = groupsOf(
      names,
      line.below.filter((each) => !isQuoted(each)),
    )
    return {
      code,
      name,
      cents: cents(price),
      ...compact({
        description: line.below.find(isQuoted)?.text.slice(1, -1),
        formerCents: former === undefined ? undefined : cents(former),
        unit: byWeight === undefined ? undefined : ('KG' as const),
        groups: groups.length > 0 ? groups : undefined,
      }),
    }
  }

  const lines = treeOf(text.split('\n').filter((line) => line.trim() !== ''))
  return lines.flatMap((line) => {
    if (line.text.startsWith('@')) return group(line) && []
    const [course, name = ''] = partsOf(/^(\w+): (.+)$/, line)
    return [{ name, course: course as MenuCourse, offers: line.below.map(offer) }]
  })
}

/** The menu; its text is read at the first use, since no start needs it. */
export function menuOf({ text, ...about }: Omit<Menu, 'categories'> & { text: string }): Menu {
  let read: Menu['categories'] | undefined
  const categories = { get: () => (read ??= categoriesOf(text)), enumerable: true }
  return Object.defineProperties(about as Menu, { categories })
}
