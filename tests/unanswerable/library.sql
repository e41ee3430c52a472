CREATE TABLE author(author_id INTEGER PRIMARY KEY, name VARCHAR(80) NOT NULL, country VARCHAR(40), born_year INTEGER);
CREATE TABLE book(book_id INTEGER PRIMARY KEY, title VARCHAR(120) NOT NULL, author_id INTEGER NOT NULL REFERENCES author(author_id), genre VARCHAR(30), published_year INTEGER, pages INTEGER);
CREATE TABLE member(member_id INTEGER PRIMARY KEY, name VARCHAR(80) NOT NULL, city VARCHAR(40), joined_on DATE);
CREATE TABLE loan(loan_id INTEGER PRIMARY KEY, book_id INTEGER NOT NULL REFERENCES book(book_id), member_id INTEGER NOT NULL REFERENCES member(member_id), loaned_on DATE NOT NULL, returned_on DATE);
INSERT INTO author VALUES (1,'Nadia Orlova','Russia',1951),(2,'Peter Halloran','Ireland',1938),(3,'Yuna Seo','Korea',1979),(4,'Marta Kovac','Croatia',1966);
INSERT INTO book VALUES (1,'The Salt Road',2,'novel',1974,312),(2,'Winter Ferry',1,'novel',1988,201),(3,'Rivers of Tin',4,'history',2003,540),(4,'Paper Moons',3,'poetry',2012,96),(5,'Small Engines',3,'novel',2018,268);
INSERT INTO member VALUES (1,'Ines Duarte','Porto','2019-02-11'),(2,'Tom Baird','Leeds','2020-07-01'),(3,'Lena Fischer','Bremen','2021-01-19'),(4,'Oleg Petrenko','Porto','2021-09-30');
INSERT INTO loan VALUES (1,1,1,'2021-03-01','2021-03-20'),(2,2,1,'2021-03-21','2021-04-02'),(3,5,2,'2021-05-05',NULL),(4,3,3,'2021-06-10','2021-07-15'),(5,1,4,'2021-10-01',NULL),(6,4,2,'2021-10-03','2021-10-09');
