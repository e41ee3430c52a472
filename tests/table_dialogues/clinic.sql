CREATE TABLE department(department_id INTEGER PRIMARY KEY, name TEXT NOT NULL, floor INTEGER);
CREATE TABLE doctor(doctor_id INTEGER PRIMARY KEY, name TEXT NOT NULL, department_id INTEGER NOT NULL REFERENCES department(department_id), hired DATE);
CREATE TABLE patient(patient_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, birth_date DATE);
CREATE TABLE visit(visit_id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL REFERENCES patient(patient_id), doctor_id INTEGER NOT NULL REFERENCES doctor(doctor_id), visit_date DATE NOT NULL, fee DECIMAL(10,2) NOT NULL, status TEXT NOT NULL);
CREATE TABLE prescription(prescription_id INTEGER PRIMARY KEY, visit_id INTEGER NOT NULL REFERENCES visit(visit_id), medicine TEXT NOT NULL, days INTEGER NOT NULL);
INSERT INTO department VALUES (1,'Cardiology',2),(2,'Dermatology',1),(3,'Pediatrics',3),(4,'Surgery',4);
INSERT INTO doctor VALUES (1,'Irene Castle',1,'2012-04-01'),(2,'Paul Novak',1,'2018-09-15'),(3,'Mina Seo',2,'2015-01-10'),(4,'Greta Lindholm',3,'2020-06-01'),(5,'Omar Haddad',4,'2009-11-23');
INSERT INTO patient VALUES (1,'Albert Finch','Leeds','1951-07-03'),(2,'Bella Crane','York','1988-02-14'),(3,'Cyril Rook','Leeds','2015-10-30'),(4,'Dora Swan','Hull','1970-12-05'),(5,'Edgar Wren','York','1999-05-21'),(6,'Fiona Heron','Leeds','1963-03-17');
INSERT INTO visit VALUES
(1,1,1,'2023-01-12',120,'done'),(2,1,2,'2023-02-20',90,'done'),(3,2,3,'2023-02-21',75,'done'),(4,3,4,'2023-03-02',60,'done'),
(5,4,5,'2023-03-15',900,'done'),(6,1,1,'2023-03-28',120,'done'),(7,5,3,'2023-04-04',75,'cancelled'),(8,6,1,'2023-04-11',150,'done'),
(9,6,5,'2023-05-09',640,'planned'),(10,2,3,'2023-05-16',80,'planned'),(11,4,5,'2023-05-20',110,'done'),(12,3,4,'2023-05-22',60,'cancelled');
INSERT INTO prescription VALUES (1,1,'Bisoprolol',30),(2,1,'Aspirin',90),(3,3,'Hydrocortisone',14),(4,5,'Amoxicillin',10),(5,6,'Bisoprolol',60),(6,8,'Ramipril',30),(7,11,'Ibuprofen',7);
