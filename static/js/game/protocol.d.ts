// The shapes of docs/protocol.md, for the types of the scripts: the one place where they stand. Nothing of this is run.

export type Seat = string
export type Side = string
export type Loc = string
export type UnitId = string
/** A sentence: rendered late, in the reader's language. */
export interface Text {
  key: string
  args: Record<string, unknown>
}
export interface Reason extends Text {
  clause: string
  at?: Loc | null
}

// -- 2 view ------------------------------------------------------------------------------------------------

export interface Unit {
  id: UnitId
  left?: number
  badges?: string[]
  facing?: string
  formation?: string
  on?: Loc[]
}
export interface Marker {
  id: string
  kind: string
  badges?: string[]
}
export interface Space {
  side?: Side | null
  control?: Side | null
  count?: number
  units?: Unit[]
  top?: Unit
  box?: number | string
  markers?: Marker[]
  contested?: boolean
  others?: { side: Side; count: number; top?: Unit; units?: Unit[] }[]
}
/** `dice` of a card: what is sealed so far; `before` are earlier seeds, shown (section 9). */
export interface Sealing {
  seed_hash: string
  seed?: string
  seats: Record<Seat, { hash: string | null; nonce: string | null }>
  complete: boolean
  restarts: number
  before?: Sealing[]
  restarted?: { by: Seat | null; why: string }[]
}
export interface Card {
  id: string
  vp?: number
  spaces?: Loc[]
}
export interface BattleLine {
  side: Side
  slots: { id: string; unit: UnitId; factor: number; reduced: boolean }[]
}

// -- 3 request ---------------------------------------------------------------------------------------------

export interface Needs {
  least: number
  most: number | null
}
export interface Request {
  /** the open card whose effect is asked about */
  card?: string
  seq: number
  seat: Seat
  prompt: Text
  clause: string
  mine: boolean
  together: boolean
  asked: Seat[]
  has_answered: Seat[]
  /** What the dice of the answer are looked up in, for its own seat. */
  table?: Lookup
  forms?: Form[]
}
interface Kind<K extends string> {
  form: string
  kind: K
  label: Text
  clause: string
  open?: Open[]
}
/** What of a form is still undone. */
export interface Open {
  what: Text
  clause: string
  at: Loc[]
}
export interface Option {
  id: string
  label: Text
  clause: string
  ends: boolean
  at?: Loc
  warn?: Text
  forecast?: true
  needs?: Needs
  /** What the dice that it brings are looked up in. */
  table?: Lookup
}
export interface ChooseForm extends Kind<'choose'> {
  options: Option[]
}
export interface PickForm extends Kind<'pick'> {
  options: Option[]
  min: number
  max: number
}
export interface Amount {
  id: string
  label: Text
  at: Loc | null
  min: number
  max: number
  pool?: string
  cost?: number
}
export interface AmountsForm extends Kind<'amounts'> {
  verb: string
  amounts: Amount[]
  pools: Record<string, number>
  min: number
  max: number | null
  suggested: Record<string, number>
}
export interface Group {
  id: string
  label: Text
  units: UnitId[]
  where: Loc[]
  must: boolean
  clause: string
  pool?: string
  cost?: number
  most?: number
  barred?: Record<Loc, Reason>
}
export type Chances = Record<UnitId, { n: number; of: number }>
export interface PlaceForm extends Kind<'place'> {
  groups: Group[]
  pools: Record<string, number>
  per?: number
  limit: number
  limit_clause: string
  limits?: Record<Loc, number>
  free?: UnitId[]
  standing: Record<Loc, number>
  boxes: string[]
  suggested: Record<UnitId, Loc>
  suggested_boxes: Record<string, Loc>
  chances?: Chances
}
export interface LineForm extends Kind<'line'> {
  units: UnitId[]
  slots: string[]
  suggested: Record<UnitId, string>
  chances?: Chances
}
export interface Mover {
  id: UnitId
  left?: number
  holds?: number
  takes?: UnitId[]
  weighs?: Record<UnitId, number>
  bars?: (Reason & { units: UnitId[] })[]
}
export interface MoveForm extends Kind<'move'> {
  stacks: Record<Loc, Mover[]>
  still: Record<Loc, Reason>
  stances?: true
  says?: Text
  warn?: Text
}
export interface TraceForm extends Kind<'trace'> {
  starts: Loc[]
  goals: Loc[]
  ways: Record<Loc, Loc[]>
  max: number | null
  suggested: Loc[]
}
export interface DeclareForm extends Kind<'declare'> {
  targets: Record<Loc, { from: Record<Loc, UnitId[]>; barred?: Record<UnitId, Reason> }>
  barred: Record<Loc, Reason>
}
export interface Lot {
  id: string
  at: Loc | null
  label: Text | null
  units: UnitId[]
  min: number
  max: number
  last?: UnitId[]
}
export interface AllocateForm extends Kind<'allocate'> {
  verb: string
  lots: Lot[]
  /** all units are of one lot */
  one?: boolean
  others_first?: Reason
  /** why it won't do to take nothing */
  nothing?: Reason
}
export interface ArrangeForm extends Kind<'arrange'> {
  boxes: Record<string, Loc | null>
  where: Loc[]
}
export type Form =
  | ChooseForm | PickForm | AmountsForm | PlaceForm | LineForm | MoveForm | TraceForm | DeclareForm | AllocateForm | ArrangeForm

/** What answers a form; each kind has fields of its own beside the form's name. */
export interface Answer {
  form: string
  option?: string
  options?: string[]
  amounts?: Record<string, number>
  placed?: Record<UnitId, Loc>
  boxes?: Record<string, Loc | null>
  units?: UnitId[]
  path?: Loc[]
  aboard?: Record<UnitId, UnitId>
  keep_box?: boolean
  target?: Loc
  lots?: Record<string, UnitId[]>
}

// -- 4 reach and preview -----------------------------------------------------------------------------------

export interface ReachQuestion {
  form: string
  units: UnitId[]
  aboard: Record<UnitId, UnitId>
  to?: Loc
}
export interface Reach {
  from: Loc
  cost: Record<Loc, number>
  via: Record<Loc, Loc>
  left?: number
  blocked?: Record<Loc, Reason>
}
export interface Preview {
  ok: boolean
  problems: Reason[]
  /** By the kind of form; an odds object of `declare`. */
  effect: any
  needs?: Needs
}
export interface Modifier {
  label: Text
  clause: string
  value: number | null
  if?: string
}
export interface Check {
  unit?: UnitId
  modifiers: Modifier[]
  total: number
  faces: { roll: number; row: number; loss: number; effect?: string }[]
  table?: Lookup
}
export interface Outlook {
  key: string
  clause: string
  checks: Check[]
  mean: string
  most: number
}
export interface Forecast extends Outlook {
  count: number
  of: 'units' | 'steps'
  notes?: Reason[]
  eased?: Outlook
}

// -- 5 odds ------------------------------------------------------------------------------------------------

export interface Face {
  roll: number
  row: string | number
  attacker: number
  defender: number
  clears: boolean
  /** It clears the space of who still lives. */
  back?: boolean
}
export interface Force {
  at: Loc
  units: { id: UnitId; value: number; counts?: number }[]
  unknown?: number
}
/** Which cells of a printed table: `rows` by face of the die, or those that are meant; without, each face's own `row`. */
export interface Lookup {
  id: string
  column?: string
  rows?: Record<string, string> | string[]
}
export interface Drawn {
  side: string
  says: { key: string; args: Record<string, any> }
  cards: { label: { key: string; args: Record<string, any> }; face: number; works: boolean }[]
}

export interface Odds {
  target: Loc
  table?: Lookup
  attack: number
  defense: number | null
  ratio: string | null
  sides: { attack: Force[]; defense: Force[] }
  modifiers: Modifier[]
  /** Null where modifiers are not to one die. */
  total: number | null
  faces: Face[]
  clears: { n: number; of: number }
  mean: { defender: string; attacker: string }
  assumed: boolean
  rolled?: number
  /** `drawn`: of what `drawn` shows. */
  notes: (Reason & { drawn?: true })[]
  /** What each side drew by dice before the one that decides. */
  drawn?: Drawn[]
  /** Of an attack that a planned move would allow: its goal. */
  from?: Loc
}

// -- 6 steps, 8 entries ------------------------------------------------------------------------------------

export interface Step {
  event: string
  clause?: string
  side?: Side | null
  data: any
  fragments?: Record<string, any>
}
/** Lowest and highest face, and how many are thrown at once. */
export interface Dice {
  low: number
  high: number
  n: number
}
export interface Entry {
  seq: number
  at?: string
  seat?: Seat | null
  kind?: string
  clause?: string
  steps: Step[]
  retracted?: boolean
  forced?: boolean
  dice?: Dice | null
}
