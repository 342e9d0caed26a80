//! Words of a made-up shop: real ones that name things, and a long tail of invented ones.
//!
//! What matters to a search index is that letters follow each other as in natural language and that
//! few words are frequent and many are rare.

use std::collections::BTreeSet;
use std::fmt::Write;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::{IndexedRandom, SliceRandom};

/// Invented words.
const RARE_WORDS: usize = 6_000;

/// Groups of things, each a category with the categories below it.
const DEPARTMENTS: &str = "\
Lighting: Desk lamp, Floor lamp, Pendant, Wall light, Lantern, Candle holder, Bulb, Night light, Lampshade
Kitchen: Kettle, Saucepan, Chopping board, Bread knife, Teapot, Mixing bowl, Colander, Whisk, Espresso cup
Furniture: Armchair, Side table, Bookcase, Stool, Wardrobe, Bench, Sideboard, Coat rack, Mirror
Garden: Watering can, Trowel, Planter, Secateurs, Hammock, Bird house, Rake, Seed box, Garden chair
Clothing: Cardigan, Raincoat, Scarf, Gloves, Beanie, Apron, Socks, Overshirt, Pyjamas
Stationery: Notebook, Fountain pen, Pencil case, Envelope, Calendar, Ink bottle, Ruler, Paper clip, Folder
Outdoors: Rucksack, Tent, Sleeping bag, Compass, Flask, Walking pole, Headlamp, Camping stove, Dry bag
Toys: Wooden train, Puzzle, Kite, Spinning top, Marbles, Doll house, Drum, Building blocks, Yo-yo
Bathroom: Towel, Soap dish, Bath mat, Toothbrush, Shower curtain, Laundry basket, Sponge, Comb, Flannel
Café: Crème brûlée set, Pâtisserie tin, Müsli jar, Jalapeño grinder, Smørrebrød board, Żurek bowl, Gyümölcs plate, \
Purée mill, Grüner tea";

const MATERIALS: &str = "Walnut Oak Brass Linen Cotton Wool Steel Copper Bamboo Marble Leather Ceramic Glass Cork \
    Velvet Ash Birch Felt Enamel Porcelain Rattan Slate Silk Jute Pine Aluminium Concrete Paper";

const QUALITIES: &str = "Foldable Compact Quiet Heavy Light Round Slim Tall Classic Modern Rustic Nordic Handmade \
    Recycled Waterproof Adjustable Stackable Vintage Little Grand Warm Cool Deep Soft Matte Polished Striped Dotted \
    Everyday Travel Winter Summer Studio Harbour Alpine Coastal Midnight Golden Silver Ivory";

const COLORS: &str = "Black White Sand Olive Navy Terracotta Mustard Sage Charcoal Rose Teal Cream";

const FREQUENT: &str = "the and a of with for in to is your it from that on this made by are or as be at its can which \
    has without an into when every we you all will room home hand water wood easy clean long small large good years \
    design colour finish quality inside holds fits lasts keeps through between after before weight centimetres washed \
    machine";

const ONSETS: &str = "b br c ch d dr f fl g gr h j k kl l m n p pl qu r s sc sh st str t th tr v w wh y z";
const NUCLEI: &str = "a e i o u a e i o ai ea ee ia io oa ou ue é ö ü å y";
/// Where a word may end; after two of five there is nothing more.
const CODAS: &str = "n r s t l m nd ng nt rd rk rn st ck x ll ss lm ft mp ble tion";

/// All words of the shop.
pub(crate) struct Lexicon {
    /// The names of groups, each with the things in it.
    pub(crate) departments: Vec<(&'static str, Vec<&'static str>)>,
    pub(crate) colors: Vec<&'static str>,
    materials: Vec<&'static str>,
    qualities: Vec<&'static str>,
    frequent: Vec<&'static str>,
    rare: Vec<String>,
}

impl Lexicon {
    /// Reads the lists and invents the rare words.
    pub(crate) fn new(random: &mut Xoshiro256PlusPlus) -> Self {
        let [onsets, nuclei, codas] = [ONSETS, NUCLEI, CODAS].map(words);
        let mut invented = BTreeSet::new();
        while invented.len() < RARE_WORDS {
            let mut word = String::new();
            for _ in 0..random.random_range(1..=3) {
                word.push_str(pick(&onsets, random));
                word.push_str(pick(&nuclei, random));
            }
            if random.random_ratio(3, 5) {
                word.push_str(pick(&codas, random));
            }
            invented.insert(word);
        }
        let mut rare = invented.into_iter().collect::<Vec<_>>();
        // From the order of the alphabet into one of frequency.
        rare.shuffle(random);
        let departments = DEPARTMENTS.lines().filter_map(|line| line.split_once(": "));
        Self {
            departments: departments.map(|(name, things)| (name, things.split(", ").collect())).collect(),
            colors: words(COLORS),
            materials: words(MATERIALS),
            qualities: words(QUALITIES),
            frequent: words(FREQUENT),
            rare,
        }
    }

    /// An invented word, those of low rank more often.
    fn rare(&self, random: &mut Xoshiro256PlusPlus) -> &str {
        let rank = random.random_range(0..self.rare.len());
        let rank = random.random_range(0..=rank);
        &self.rare[random.random_range(0..=rank)]
    }

    /// The name of a `thing`.
    pub(crate) fn name(&self, thing: &str, random: &mut Xoshiro256PlusPlus) -> String {
        let mut name = String::new();
        if random.random_ratio(1, 3) {
            name.push_str(&capitalized(self.rare(random)));
            name.push(' ');
        }
        let (quality, material) = (pick(&self.qualities, random), pick(&self.materials, random));
        let _ = write!(name, "{quality} {material} {thing}");
        let _ = match random.random_range(0..6) {
            0 => write!(name, " {}", random.random_range(2..=999)),
            1 => write!(name, " {}{}", char::from(random.random_range(b'A'..=b'Z')), random.random_range(1..=99)),
            2 => write!(name, ", {}", pick(&self.colors, random).to_lowercase()),
            _ => Ok(()),
        };
        name
    }

    /// A text of so many sentences.
    pub(crate) fn text(&self, sentences: u32, random: &mut Xoshiro256PlusPlus) -> String {
        let sentences = (0..sentences).map(|_| self.sentence(random));
        sentences.collect::<Vec<_>>().join(" ")
    }

    fn sentence(&self, random: &mut Xoshiro256PlusPlus) -> String {
        let words = (0..random.random_range(6..=18)).map(|_| match random.random_range(0..10) {
            0..=4 => pick(&self.frequent, random).to_owned(),
            5 => pick(&self.qualities, random).to_lowercase(),
            6 => pick(&self.materials, random).to_lowercase(),
            _ => self.rare(random).to_owned(),
        });
        format!("{}.", capitalized(&words.collect::<Vec<_>>().join(" ")))
    }
}

fn words(list: &'static str) -> Vec<&'static str> {
    list.split_whitespace().collect()
}

/// One of several, each as often.
pub(crate) fn pick<'a>(from: &[&'a str], random: &mut Xoshiro256PlusPlus) -> &'a str {
    from.choose(random).expect("no list of words is empty")
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}
