//! The words that `people` is made of. Who adds, removes or moves one changes every byte of the set.

/// First names, and how they are written in a mail address.
#[rustfmt::skip]
pub(super) const FIRST_NAMES: [(&str, &str); 60] = [
    ("Anna", "anna"), ("Ben", "ben"), ("Clara", "clara"), ("David", "david"), ("Emma", "emma"), ("Felix", "felix"),
    ("Grace", "grace"), ("Henry", "henry"), ("Ida", "ida"), ("Jack", "jack"), ("Kate", "kate"), ("Leo", "leo"),
    ("Maria", "maria"), ("Noah", "noah"), ("Olivia", "olivia"), ("Paul", "paul"), ("Quinn", "quinn"), ("Rosa", "rosa"),
    ("Samuel", "samuel"), ("Theresa", "theresa"), ("Umar", "umar"), ("Victoria", "victoria"), ("William", "william"),
    ("Xenia", "xenia"), ("Yusuf", "yusuf"), ("Zara", "zara"), ("Alexander", "alexander"), ("Charlotte", "charlotte"),
    ("Jo", "jo"), ("Maximilian", "maximilian"), ("Zoë", "zoe"), ("Jürgen", "juergen"), ("Søren", "soeren"),
    ("Łukasz", "lukasz"), ("Chloé", "chloe"), ("José", "jose"), ("Françoise", "francoise"), ("Björn", "bjoern"),
    ("Işıl", "isil"), ("Đorđe", "djordje"), ("Siân", "sian"), ("Þóra", "thora"), ("Иван", "ivan"), ("Олена", "olena"),
    ("Γιώργος", "giorgos"), ("Ελένη", "eleni"), ("יעל", "yael"), ("محمد", "mohammed"), ("فاطمة", "fatima"),
    ("प्रिया", "priya"), ("अर्जुन", "arjun"), ("明", "akira"), ("小芳", "xiaofang"), ("さくら", "sakura"), ("지우", "jiwoo"),
    ("Nguyệt", "nguyet"), ("สมชาย", "somchai"), ("Renée", "renee"), ("Mary Ann", "maryann"), ("Jean-Luc", "jeanluc"),
];

/// Last names, and how they are written in a mail address.
#[rustfmt::skip]
pub(super) const LAST_NAMES: [(&str, &str); 60] = [
    ("Smith", "smith"), ("Jones", "jones"), ("Taylor", "taylor"), ("Brown", "brown"), ("Wilson", "wilson"),
    ("Johnson", "johnson"), ("Walker", "walker"), ("Wright", "wright"), ("Robinson", "robinson"), ("Thompson", "thompson"),
    ("Schmidt", "schmidt"), ("Fischer", "fischer"), ("Weber", "weber"), ("Wagner", "wagner"), ("Becker", "becker"),
    ("Hoffmann", "hoffmann"), ("Schwarzenberger", "schwarzenberger"), ("Rossi", "rossi"), ("Bianchi", "bianchi"),
    ("Martin", "martin"), ("Bernard", "bernard"), ("Dubois", "dubois"), ("Garcia", "garcia"), ("Silva", "silva"),
    ("de Vries", "devries"), ("van den Berg", "vandenberg"), ("Jansen", "jansen"), ("Novak", "novak"), ("Horvat", "horvat"),
    ("Kowalski", "kowalski"), ("Khan", "khan"), ("Singh", "singh"), ("Li", "li"), ("Wang", "wang"), ("Kim", "kim"),
    ("Tanaka", "tanaka"), ("O'Brien", "obrien"), ("D'Angelo", "dangelo"), ("MacDonald", "macdonald"), ("Ó Súilleabháin", "osullivan"),
    ("Müller", "mueller"), ("Groß", "gross"), ("Köhler", "koehler"), ("Lindström", "lindstroem"), ("Ångström", "angstroem"),
    ("Nuñez", "nunez"), ("Gonçalves", "goncalves"), ("Dvořák", "dvorak"), ("Şahin", "sahin"), ("Wiśniewska", "wisniewska"),
    ("Петров", "petrov"), ("Шевченко", "shevchenko"), ("Παπαδόπουλος", "papadopoulos"), ("כהן", "cohen"), ("حسن", "hassan"),
    ("शर्मा", "sharma"), ("山田", "yamada"), ("𠮷野", "yoshino"), ("王", "wang"), ("김", "kim"),
];

/// Names that friends use; they stand in quotes, which JSON escapes.
pub(super) const NICKNAMES: [&str; 8] = ["Buddy", "Kiki", "Doc", "T.J.", "Mouse", "El Niño", "Ace", "Lulu"];

/// Streets.
#[rustfmt::skip]
pub(super) const STREETS: [&str; 48] = [
    "High Street", "Station Road", "Church Lane", "Main Street", "Park Avenue", "Mill Lane", "Victoria Road", "The Green",
    "King's Road", "Queen Elizabeth II Boulevard", "North 3rd Street", "Martin Luther King Jr. Drive", "Elm St", "Broadway",
    "Hauptstraße", "Schulstraße", "Gartenweg", "Bahnhofstr.", "Am Alten Güterbahnhof", "Straße des 17. Juni", "Dorfplatz",
    "Rue de la République", "Rue du Général-de-Gaulle", "Avenue des Champs-Élysées", "Impasse des Mûriers", "Quai d'Orsay",
    "Via Garibaldi", "Viale dell'Università", "Piazza San Marco", "Calle Mayor", "Avenida de la Constitución", "Gran Vía",
    "Rua Augusta", "Travessa do Açougue", "Keizersgracht", "Laan van Nieuw-Oost-Indië", "Strøget", "Drottninggatan",
    "ulica Marszałkowska", "Václavské náměstí", "Andrássy út", "İstiklal Caddesi", "Тверская улица", "Οδός Ερμού",
    "شارع التحرير", "महात्मा गांधी मार्ग", "南京东路", "表参道",
];

/// Hosts of mail addresses, all reserved by RFC 2606 so that none of these addresses is anybody's.
#[rustfmt::skip]
pub(super) const MAIL_HOSTS: [&str; 12] = [
    "example.com", "example.org", "example.net", "mail.example.com", "mail.example.org", "post.example.net",
    "work.example.com", "students.university.example", "shop.example", "home.example", "the-long-name-company.example", "m.example",
];
