// @module-tag slow
/** The screen of a campaign, from the records of a real one: frames in several sizes, without colour, and keys. */
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type CampaignDriver,
  driveCampaign,
} from '../../../test/support/dashboard/campaign-driver.ts'
import { progressOf, recordOneBucket } from '../../../test/support/explored-campaign.ts'
import { keptDetailsOf } from '../../../test/support/opened-reproducer.ts'
import type { CampaignRecord } from '../campaign/campaign-record.ts'
import { loadClauses } from '../../core/protocol/clause.ts'
import { appearanceOf } from '../../terminal/dashboard/view/appearance.ts'
import { shortStateNames } from './heat-map.ts'
import { campaignKeys } from './show-campaign.ts'
import { type CampaignHeading, chosenBucket, listedBuckets } from './model.ts'
import { bucketKey } from '../investigation/bucket.ts'

const clauses = await loadClauses()
const heading: CampaignHeading = {
  subject: 'software-service',
  channels: ['polling', 'webhook'],
  seed: 7,
  budget: { maxRuns: 24 },
  details: (bucket) => keptDetailsOf(bucket, clauses),
}

let records: readonly CampaignRecord[] = []
beforeAll(async () => {
  const found = await recordOneBucket(24)
  const place = found.findIndex(({ type }) => type === 'bucket')
  const first = found[place]
  if (first?.type !== 'bucket') throw new Error('the campaign found nothing')
  // The same failure with another cause, for a list of several.
  const second = { ...first.bucket, id: '0ddba11e', hits: 1, foundAt: 1 }
  const third = { ...first.bucket, hits: 3 }
  records = [
    ...found.slice(0, place),
    { ...first, bucket: third },
    { ...first, bucket: second },
    ...found.slice(place + 1),
  ]
})

/** The records until some schedules were run. */
function untilSchedules(count: number): readonly CampaignRecord[] {
  let seen = 0
  const end = records.findIndex(({ type }) => type === 'schedule' && ++seen === count)
  return records.slice(0, end + 1)
}

interface DriveOptions {
  readonly columns?: number
  readonly rows?: number
  readonly ascii?: true
  readonly shown?: readonly CampaignRecord[]
}

const drive = ({
  columns = 80,
  rows = 24,
  ascii,
  shown = records,
}: DriveOptions = {}): CampaignDriver =>
  driveCampaign({
    columns,
    rows,
    heading,
    progress: progressOf(shown),
    ...(ascii ? { appearance: appearanceOf({ TERM: 'dumb' }, { glyphs: 'ascii' }) } : {}),
  })

/** The first row whose text contains this. */
const rowWith = (driver: CampaignDriver, text: string): string =>
  driver.lines().find((line) => line.includes(text)) ?? ''

/** The row of a fault in the first block of the coverage. */
const rowOfFault = (driver: CampaignDriver, name: string): string =>
  driver.lines().find((line) => line.startsWith(` ${name} `)) ?? ''

describe('the overview', () => {
  test('80x24 shows phase, pace, buckets with their reproducers, coverage and the last schedule', () => {
    const driver = drive({ shown: untilSchedules(20) })
    const lines = driver.lines()
    expect(lines).toHaveLength(24)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    expect(lines[0]).toMatch(/^ ● EXPLORE {2}search {2}software-service {2}polling and webhook/)
    expect(lines[0]).toMatch(/ \d+s, about \d+s left$/)
    expect(lines[1]).toMatch(
      /^ 20 of 24 schedules {2}\d+\/s {2}\d+ runs {2}16 side by side +looks new: \d+\.\d %$/,
    )
    expect(lines[2]).toMatch(/^━ Buckets \d ━+$/)
    expect(lines[3]).toMatch(/^>RT-6 {3}confirmed +x\d+ takeout: [a-z-]+ on \w+ of o1$/)
    expect(rowWith(driver, 'Coverage')).toMatch(/^─ Coverage .* \d+ of \d+ kinds of faults ─$/)
    const names = lines.findIndex((line) => line.includes('Coverage')) + 1
    // Two blocks, each with the short names of the states above its faults.
    expect(lines[names]).toMatch(/^ +- CR CO PR .* - CR CO PR /)
    expect(lines[names + 1]).toMatch(/^ ack-lag +[▁-█·]( +[▁-█·])+ +[a-z-]+~? +[▁-█·]( +[▁-█·])+$/)
    expect(lines[22]).toMatch(/^ now {2}#\d+ [a-z-]+ [a-z-]+, \d+ faults?: /)
    expect(lines[23]).toMatch(
      /^ up down choose {2}enter story {2}p play it step by step +\? help {2}q quit/,
    )
  })

  test('120x40 shows each count with the names of the states, and more about the chosen bucket', () => {
    const driver = drive({ columns: 120, rows: 40 })
    const lines = driver.lines()
    expect(lines).toHaveLength(40)
    expect(lines[0]).toMatch(/^ ✓ DONE /)
    const bucket = driver.model().state.buckets.values().next().value
    expect(driver.text()).toContain(` ${bucket?.failure.because.slice(0, 60)}`)
    expect(driver.text()).toMatch(/\n under takeout\n {3}[a-z-]+ \(.*\) on \w+ of o1/)
    expect(rowWith(driver, 'CREATED')).toMatch(/^ +- +CREATED +CONFIRMED +PREPARING +READY/)
    const { state } = driver.model()
    const counts = [...state.coverage]
      .filter(([item]) => item.startsWith('fault CREATED fail '))
      .reduce((sum, [, count]) => sum + count, 0)
    const cells = rowOfFault(driver, 'fail').trim().split(/ +/)
    expect(cells[2]).toBe(counts === 0 ? '·' : String(counts))
    // All faults have their row, those that never fired too.
    for (const name of new Set(state.classes().map((each) => each.split(' ')[0] ?? '')))
      expect(driver.text()).toContain(`\n ${name} `)
  })

  test('without Unicode and without colours the density is read from characters', () => {
    const driver = drive({ ascii: true })
    expect(driver.text()).toMatch(/^[ -~\n]*$/)
    expect(rowOfFault(driver, 'fail')).toMatch(/^ fail +[._:=+*#-]( +[._:=+*#-])+/)
    // More than one density.
    expect(new Set(driver.text().match(/(?<= )[_.:=+*#-](?= {2})/g)).size).toBeGreaterThan(2)
  })

  test('NO_COLOR leaves bold and inverse; a terminal with colours gets them', () => {
    const painted = (env: Readonly<Record<string, string>>): string =>
      driveCampaign({
        heading,
        progress: progressOf(records),
        appearance: appearanceOf({ TERM: 'xterm', LANG: 'C.UTF-8', ...env }),
      }).text()
    // eslint-disable-next-line no-control-regex
    const colour = /\u001b\[(?:1;|2;)?3\dm/
    expect(painted({ NO_COLOR: '1' })).not.toMatch(colour)
    expect(painted({ NO_COLOR: '1' })).toContain('\u001b[7m>RT-6')
    expect(painted({})).toMatch(colour)
  })

  test('before a bucket is found it says what is done, and at the end that nothing was found', () => {
    const steady = drive({ shown: records.slice(0, 3) })
    expect(steady.lines()[0]).toMatch(/EXPLORE {2}without faults/)
    expect(steady.text()).toContain('Each workload runs without faults first.')
    expect(steady.text()).not.toContain('Coverage')
    const nothing = records.filter(({ type }) => type !== 'bucket' && type !== 'hit')
    const done = drive({ shown: nothing })
    expect(done.text()).toContain('Nothing that was tried breaks a rule.')
    done.press('p')
    expect(done.model().notice?.text).toBe('there is no bucket yet')
    expect(done.lines().at(-1)).toMatch(/^ there is no bucket yet /)
  })

  test('what is broken without faults stands in the title of the buckets', () => {
    const failure = { rule: 'SE-7', because: 'It did not read.', evidence: [] }
    const steady: CampaignRecord = { type: 'steady', workload: 'delivery', failures: [failure] }
    const driver = drive({ shown: [...records, steady] })
    expect(rowWith(driver, 'Buckets')).toMatch(/━ without faults: SE-7 ━$/)
  })

  test('every size gives a frame that fits', () => {
    for (const [columns, rows] of [
      [20, 3],
      [40, 10],
      [57, 14],
      [100, 30],
      [200, 60],
    ] as const) {
      const lines = drive({ columns, rows }).lines()
      expect(lines).toHaveLength(rows)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
      expect(lines.join('\n')).not.toContain('cannot be shown')
    }
  })

  test('names of states differ in two cells', () => {
    const states = ['-', 'CREATED', 'CONFIRMED', 'CONCLUDED', 'CANCELLED', 'READY', 'IN_DELIVERY']
    const names = shortStateNames(states, 2)
    expect(names).toEqual(['-', 'CR', 'CO', 'CN', 'CA', 'RE', 'IN'])
    expect(shortStateNames(states, 9)).toEqual(states.map((each) => each.slice(0, 9)))
  })
})

describe('keys', () => {
  test('every key is in the help, and every context has a way out', () => {
    const driver = drive({ columns: 120, rows: 40 })
    driver.press('?')
    for (const { title } of campaignKeys) expect(driver.text()).toContain(title)
    expect(driver.text()).toMatch(/\n CO +CONFIRMED\n/)
    expect(driver.text()).toMatch(/\n It polls every \ds, reacts within /)
    driver.press('?')
    expect(driver.model().view).toBe('overview')
  })

  test('down chooses the next bucket, enter opens its story, and esc leads back', () => {
    const driver = drive()
    const rows = (): readonly string[] =>
      driver.lines().filter((line) => /^.[A-Z]{2}-\d+ /.test(line))
    expect(rows().length).toBeGreaterThan(1)
    const [first, second] = rows()
    driver.press('down')
    expect(rows().slice(0, 2)).toEqual([first?.replace('>', ' '), second?.replace(' ', '>')])
    driver.press('k', 'k')
    expect(rows()[0]).toBe(first)
    driver.press('enter')
    const { state } = driver.model()
    const bucket = [...state.buckets.values()].find(({ hits }) => first?.includes(`x${hits} `))
    const text = driver.text()
    expect(text).toMatch(new RegExp(`━ RT-6 ${bucket?.id} confirmed ━`))
    expect(text).toContain('The smallest schedule that fails')
    expect(text.replaceAll(/\s+/g, ' ')).toContain(bucket?.failure.because)
    expect(driver.lines().at(-1)).toMatch(/esc back {2}\? help {2}q quit/)
    driver.press('end')
    expect(driver.text()).toContain(` scenario: explored/a b ${bucket?.id}.yaml`)
    expect(driver.text()).toContain(` again: sparring run 'explored/a b ${bucket?.id}.yaml'`)
    const tall = drive({ columns: 120, rows: 100 })
    tall.press('enter')
    expect(tall.text()).toMatch(/\n #\d+ {2}\d\d:\d\d:\d\d\.\d{3} {2}\w\w > \w\w {2}(?:GET|POST)/)
    driver.press('esc')
    expect(rows()[0]).toBe(first)
  })

  test('p plays the chosen bucket, from the list and from its story', () => {
    const driver = drive()
    driver.press('p', 'down', 'enter', 'p')
    const [first, second] = driver.actions
    if (first?.kind !== 'play' || second?.kind !== 'play') throw new Error('nothing is played')
    expect(first.bucket.id).not.toBe(second.bucket.id)
    expect(bucketKey(second.bucket)).toBe(driver.model().chosen)
  })

  test('q asks once while the campaign runs, and leaves at once when it has ended', () => {
    const running = drive({ shown: untilSchedules(20) })
    running.press('q')
    expect(running.lines().at(-1)).toMatch(/^ Stop the campaign\? {2}y yes {2}n no/)
    running.press('n')
    expect(running.actions).toEqual([])
    running.press('q', 'y')
    expect(running.actions).toEqual([{ kind: 'stop' }])
    expect(running.lines()[0]).toMatch(/STOPPING/)
    running.press('q')
    expect(running.actions.at(-1)).toEqual({ kind: 'leave' })
    const done = drive()
    done.press('q')
    expect(done.actions).toEqual([{ kind: 'leave' }])
  })

  test('a key that does nothing is answered', () => {
    const driver = drive()
    driver.press('w')
    expect(driver.lines().at(-1)).toMatch(/^ w: no such key here; \? lists them/)
  })
})

test('the chosen bucket stays chosen when others are found above it', () => {
  const driver = drive({ shown: untilSchedules(24) })
  driver.press('down')
  const { chosen } = driver.model()
  expect(chosen).toBeDefined()
  for (const progress of progressOf(records)) driver.send({ kind: 'progress', progress })
  expect(rowWith(driver, '>RT-6')).not.toBe('')
  expect(driver.model().chosen).toBe(chosen)
})

test('the cursor passes one that is still being shrunk beside another of the same id', () => {
  const again = records.flatMap((each): readonly CampaignRecord[] =>
    each.type === 'bucket' && !each.bucket.unfinished
      ? [{ type: 'bucket', bucket: { ...each.bucket, unfinished: true } }]
      : [],
  )
  const driver = drive({ shown: [...untilSchedules(20), ...again] })
  const listed = listedBuckets(driver.model())
  expect(new Set(listed.map(({ id }) => id)).size).toBeLessThan(listed.length)
  for (const _ of listed) driver.press('down')
  expect(chosenBucket(driver.model())).toBe(listed.at(-1))
})

test('time passes although there are no records, and the rate is that of the last seconds', () => {
  const driver = drive({ shown: untilSchedules(20) })
  driver.send({ kind: 'ticked', tookMs: 665_000 })
  expect(driver.lines()[0]).toMatch(/ 11m05s, about /)
  expect(driver.lines()[1]).toMatch(/ \d+\/min {2}/)
})
