import type { Random } from './random.ts';

const FIRST =
  'Ada Ben Cleo Dan Eva Finn Gita Hugo Ines Jon Kira Lars Mona Nils Olga Per Quinn Rosa Sven Tara Uma Vera Wim Xena Yara Zeno'.split(
    ' ',
  );
const LAST =
  'Ash Birch Cedar Dale Elm Field Grove Heath Ivy Juniper Knoll Larch Moss Nettle Oak Pine Reed Sage Thorn Vine Willow Yew'.split(
    ' ',
  );
const WORDS =
  'the a some every garden bed soil rain frost sun seed sprout leaf root bean pea carrot tomato apple pear rose early late slow red green grows waits needs likes never always today tomorrow in under after with'.split(
    ' ',
  );
const THINGS = 'Garden Orchard Meadow Allotment Greenhouse Herb Pond Rose Bean Tree'.split(' ');
const GROUPS = 'Club Circle Society Friends Exchange Table'.split(' ');

export function nameOf(index: number): string {
  const first = FIRST[index % FIRST.length];
  const last = LAST[Math.floor(index / FIRST.length) % LAST.length];
  const round = Math.floor(index / (FIRST.length * LAST.length));
  return round === 0 ? `${first} ${last}` : `${first} ${last} ${round + 1}`;
}

export function placeName(index: number): string {
  const thing = THINGS[index % THINGS.length];
  const group = GROUPS[Math.floor(index / THINGS.length) % GROUPS.length];
  return `${thing} ${group} ${index + 1}`;
}

export function sentence(random: Random, most = 24): string {
  const words = Array.from({ length: 3 + random.below(most) }, () => random.pick(WORDS)).join(' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
